// engines: sqlite
// long: starts processes
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prepare, prepareFor } from '../../../src/kit/cli/test/virtual-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-test-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const root = new URL('../../../', import.meta.url);
const requirements = new URL('src/kit/cli/test/requirements.txt', root).pathname;

function script(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

describe('the virtual environment of a program in Python', () => {
  const bin = join(folder, 'bin');
  const log = join(folder, 'log');
  let venv = '';
  let count = 0;
  beforeEach(() => {
    venv = join(folder, `venv${count++}`);
    rmSync(log, { force: true });
    vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`);
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  /** A python3 of a version that makes a virtual environment, whose own python does as it is told. */
  const python = (version: string, { make = 0, pip = 0 } = {}) => {
    const inner = `echo "python $*" >> ${log}; [ "$1" = --version ] || { [ ${pip} = 0 ] || echo no index; exit ${pip}; }`;
    script(
      join(bin, 'python3'),
      `[ "$1" = --version ] && { echo "${version}"; exit 0; }
echo "python3 $*" >> ${log}
[ ${make} = 0 ] || { echo no venv; exit ${make}; }
for last; do :; done
mkdir -p $last/bin
touch $last/pyvenv.cfg
printf '%s\\n' '#!/bin/sh' '${inner.replaceAll("'", '')}' > $last/bin/python
chmod +x $last/bin/python`,
    );
  };
  const said = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);

  it('is made once, and again where it is asked for something else', () => {
    python('Python 3.11.0');
    expect(prepareFor('it', requirements, venv)).toEqual({ bin: join(venv, 'bin') });
    const install = `python -m pip install --quiet --disable-pip-version-check --requirement ${requirements}`;
    expect(said()).toEqual([`python3 -m venv ${venv}`, install]);
    expect(readFileSync(join(venv, 'requirements.txt'), 'utf8')).toBe(
      readFileSync(requirements, 'utf8'),
    );
    rmSync(log);
    expect(prepareFor('it', requirements, venv)).toEqual({ bin: join(venv, 'bin') });
    expect(said()).toEqual(['python --version']);
    rmSync(log);
    writeFileSync(join(venv, 'requirements.txt'), 'other');
    prepareFor('it', requirements, venv);
    expect(said()).toEqual([`python3 -m venv --clear ${venv}`, install]);
    expect(prepare(venv)).toEqual({ schemathesis: join(venv, 'bin/st') });
  });

  it('is made again where its python no longer runs', () => {
    python('Python 3.11.0');
    prepareFor('it', requirements, venv);
    script(join(venv, 'bin/python'), 'exit 1');
    rmSync(log);
    expect(prepareFor('it', requirements, venv)).toEqual({ bin: join(venv, 'bin') });
    expect(said()[0]).toBe(`python3 -m venv --clear ${venv}`);
  });

  it.each([
    ['Python 3.11.0', true],
    ['Python 3.12.1', true],
    ['Python 4.0.0', true],
    ['Python 3.10.9', false],
    ['Python 2.12.0', false],
    ['Nothing', false],
  ])('takes %s: %s', (version, isEnough) => {
    python(version);
    const found = prepareFor('it', requirements, venv);
    expect('bin' in found).toBe(isEnough);
    if (isEnough) return;
    const instead = /\d/.test(version)
      ? `python3 is ${version.slice(7, -2)}`
      : 'there is no python3';
    expect(found).toEqual({
      missing: `it needs Python 3.11 or newer, and ${instead}.\nGet it with your system (apt install python3 python3-venv, brew install python) or from python.org, and see that python3 is on the PATH.`,
    });
  });

  it('says what is missing where it cannot be made or filled', () => {
    python('Python 3.11.0', { make: 1 });
    expect(prepareFor('it', requirements, venv)).toEqual({
      missing:
        'python3 cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv.\nno venv',
    });
    python('Python 3.11.0', { pip: 1 });
    expect(prepareFor('it', requirements, venv)).toEqual({
      missing:
        'pip cannot install what it needs. It must reach the package index that it is set to use.\nno index',
    });
    expect(existsSync(join(venv, 'requirements.txt'))).toBe(false);
    expect(prepare(venv)).toMatchObject({
      missing: expect.stringContaining('pip cannot install what schemathesis needs'),
    });
  });
});

describe('accord test', () => {
  const project = join(folder, 'project');
  const venv = join(project, '.venv');
  mkdirSync(project);
  script(join(venv, 'bin/python'), 'exit 0');
  // What it is told, and how it ends: as the folder says.
  script(
    join(venv, 'bin/st'),
    `echo "st $*"; cat schemathesis.toml; echo "$PYTHONDONTWRITEBYTECODE"; ls
case "$*" in *openapi*) printf 'a rule\\na rule\\nanother\\n' > "$PASSED_OVER"; ${process.execPath} -e "fetch(process.argv[1], { headers: { 'X-Key': 'key' } }).then((answer) => console.log(answer.status), () => console.log('down'))" "$4/a"; exit \${OPENAPI_CODE:-0};; esac
exit \${GRAPHQL_CODE:-0}`,
  );
  writeFileSync(join(venv, 'requirements.txt'), readFileSync(requirements));
  writeFileSync(
    join(project, 'openapi.yaml'),
    `openapi: 3.1.0
info: { title: A, version: '1' }
paths: { /a: { get: { operationId: getA, security: [{ key: [] }], responses: { 200: { description: A. } } } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, user: { type: http, scheme: basic } } }
`,
  );
  writeFileSync(join(project, 'schema.graphql'), 'type Query { a: Int }\n');
  const accord = new URL('src/kit/cli/accord.ts', root).pathname;
  const run = (args: string[], env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [accord, 'test', ...args], {
      ...{ cwd: project, encoding: 'utf8', env: { ...process.env, ...env, CONTRACT_COVERAGE: '' } },
    });
    const hooks = new URL('src/kit/cli/test/hooks.py', root).pathname;
    const text = `${stdout}${stderr}`
      .replaceAll(hooks, 'hooks.py')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'here');
    return { status, text };
  };

  it('runs schemathesis on both contracts against a server of its own, and leaves nothing', async () => {
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const { status, text } = run([], { TMPDIR: temporary });
    await expect(text).toMatchFileSnapshot('expected/accord-test.txt');
    expect(status).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('asks another server with the credentials that it is given', async () => {
    const options = ['--url', 'http://127.0.0.1:1/', '--seed', '7', '--examples', '200'];
    const headers = ['--header', 'authorization: Bearer t', '--header', 'X-A: b'];
    const { text } = run([...options, ...headers, '--openapi', 'openapi.yaml']);
    await expect(text).toMatchFileSnapshot('expected/accord-test-url.txt');
  });

  it('fails where one of the contracts is not kept', () => {
    expect(run([], { OPENAPI_CODE: '1' }).status).toBe(1);
    expect(run([], { GRAPHQL_CODE: '1' }).status).toBe(1);
    expect(run(['--schema', 'schema.graphql'], { OPENAPI_CODE: '1' }).status).toBe(0);
  });

  it.each([
    ['--seed', '0'],
    ['--seed', '1.5'],
    ['--examples', '1234567890'],
    ['--examples', 'x'],
  ])('refuses %s %s', (name, value) => {
    expect(run([name, value])).toEqual({
      status: 2,
      text: `accord test: ${name} takes a whole number\nSee: accord test --help\n`,
    });
  });
});
