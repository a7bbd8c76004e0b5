// engines: sqlite
import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Api } from '../../../src/kit/api-declaration.ts';
import type { CheckCache, CheckSubject } from '../../../src/kit/contract/check-cache.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { createKeptChecks } from '../../../src/kit/process/kept-checks.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';
import { atOnce } from '../../../tools/support/server-process.ts';

const openapi = `openapi: 3.1.0
info: { title: Rooms, version: 1.0.0 }
paths:
  /rooms/{id}:
    get:
      operationId: getRoom
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, format: int32 } }
        - { name: on, in: query, schema: { type: string, format: weekday, kolour: red } }
      responses:
        '200':
          description: A room.
          content: { application/json: { schema: { $ref: 'room.yaml' } } }
`;
const room = `type: object
properties: { id: { type: integer } }
`;
// The second "a" is alike.
const sdl = `enum Size { S L }
type Query {
  a: Int
  a: Int
}
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-checks-'));
  writeFileSync(join(folder, 'openapi.yaml'), openapi);
  writeFileSync(join(folder, 'room.yaml'), room);
  writeFileSync(join(folder, 'schema.graphql'), sdl);
});
afterEach(() => rmSync(folder, { recursive: true }));

const kept = () => join(folder, 'cache/checks/');
const keptFiles = () => readdirSync(kept()).map((name) => join(kept(), name));
const keptChecks = (checker?: string) => createKeptChecks(pathToFileURL(kept()), checker);

type Started = {
  /** The contracts that were checked. */
  readonly checked: string[];
  readonly warnings: string[];
  readonly answers: unknown[];
};

/** Starts a server, asks it, and stops it. */
async function start(own: Partial<Api> = {}, checks = keptChecks()): Promise<Started> {
  const checked: string[] = [];
  const lines: string[] = [];
  const told: CheckCache = (subject) => {
    const entry = checks(subject);
    if (!entry.warnings) checked.push(subject.kind);
    return entry;
  };
  const { url, stop } = await serve(
    {
      openapi: pathToFileURL(join(folder, 'openapi.yaml')),
      graphql: pathToFileURL(join(folder, 'schema.graphql')),
      lenient: true,
      mocks: true,
      ...own,
    },
    {
      settings: readSettings({ ...atOnce, PORT: '0' }),
      log: createLog('info', (line) => lines.push(JSON.parse(line).msg)),
      checks: told,
    },
  );
  const asked = async (path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init);
    const digest = response.headers.get('contract-digest');
    return { status: response.status, digest, body: await response.json() };
  };
  const query = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"query":"{ a }"}',
  };
  const answers = [
    await asked('/rooms/1'),
    await asked('/rooms/x'),
    await asked('/graphql', query),
  ];
  await stop();
  const warnings = lines.filter((line) => /^(Warning: )?(openapi|schema)\./.test(line));
  return { checked, warnings, answers };
}

describe('a contract that passed all checks', () => {
  it('is not checked at the next start, which warns and answers alike', async () => {
    const first = await start();
    expect(first.checked).toEqual(['openapi', 'sdl']);
    expect(first.warnings).toEqual([
      expect.stringContaining('kolour'),
      expect.stringContaining('"Query.a" can only be defined once'),
    ]);
    expect(first.answers).toMatchObject([{ status: 200 }, { status: 400 }, { body: { data: {} } }]);
    expect(await start()).toEqual({ ...first, checked: [] });
  });

  it.each([
    ['openapi.yaml', ['openapi']],
    ['room.yaml', ['openapi']],
    ['schema.graphql', ['sdl']],
  ])('is checked again when %s has changed', async (file, checked) => {
    await start();
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(
      join(folder, file),
      text.replace('integer', 'number').replace('a: Int', 'A: Int'),
    );
    expect((await start()).checked).toEqual(checked);
    writeFileSync(join(folder, file), text);
    expect((await start()).checked).toEqual([]);
  });

  it('is checked again under another name, because warnings tell the name', async () => {
    await start();
    const other = join(folder, 'schema.other.graphql');
    writeFileSync(other, sdl);
    const { checked, warnings } = await start({ graphql: pathToFileURL(other) });
    expect(checked).toEqual(['sdl']);
    expect(warnings.at(-1)).toMatch(/^schema\.other\.graphql:4:3: /);
  });

  it('is checked again with other formats, and refused where it is strict', async () => {
    await start();
    const formats = { weekday: /day$/ };
    expect((await start({ formats })).checked).toEqual(['openapi']);
    expect((await start({ formats })).checked).toEqual([]);
    const refused = /^openapi.yaml:.*unknown keyword "kolour"/;
    await expect(start({ lenient: false })).rejects.toThrow(refused);
    writeFileSync(join(folder, 'openapi.yaml'), openapi.replace(', kolour: red', ''));
    await expect(start({ lenient: false })).rejects.toThrow(/^schema.graphql:4:3: /);
  });

  it('is checked again by another version of the kit', async () => {
    await start();
    expect((await start({}, keptChecks('another'))).checked).toEqual(['openapi', 'sdl']);
    expect((await start({}, keptChecks('another'))).checked).toEqual([]);
    expect((await start()).checked).toEqual([]);
  });

  it('is held to the resolvers all the same', async () => {
    await start();
    const resolvers = { Query: { b: () => 1 } };
    await expect(start({ resolvers })).rejects.toThrow(
      /^schema.graphql:2:1: no field for the resolver of Query.b/,
    );
  });
});

it('refuses a broken contract at each start', async () => {
  appendFileSync(join(folder, 'openapi.yaml'), 'pathes: {}\n');
  for (let i = 0; i < 2; i++) await expect(start()).rejects.toThrow('pathes');
  writeFileSync(join(folder, 'openapi.yaml'), openapi);
  writeFileSync(join(folder, 'schema.graphql'), 'type Query { a: Nope }');
  for (let i = 0; i < 2; i++) await expect(start()).rejects.toThrow('Nope');
});

describe('checks again, and says nothing of it, where what was kept', () => {
  const all = ['openapi', 'sdl'];

  it.each(['', '[', '{}', '[1]', 'null', '"a"'])('is damaged: %s', async (text) => {
    const first = await start();
    for (const file of keptFiles()) writeFileSync(file, text);
    expect(await start()).toEqual(first);
    expect((await start()).checked).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('is a pipe, which is not waited for', async () => {
    const first = await start();
    for (const file of keptFiles()) {
      rmSync(file);
      execFileSync('mkfifo', [file]);
    }
    expect(await start()).toEqual(first);
  });

  it('is gone', async () => {
    const first = await start();
    rmSync(kept(), { recursive: true });
    expect(await start()).toEqual(first);
  });

  it('cannot be written', async () => {
    writeFileSync(join(folder, 'cache'), '');
    expect((await start()).checked).toEqual(all);
    expect((await start()).checked).toEqual(all);
  });

  // root may write everywhere.
  it.skipIf(process.getuid?.() === 0)('is read-only', async () => {
    await start();
    for (const file of keptFiles()) rmSync(file);
    chmodSync(kept(), 0o500);
    expect((await start()).checked).toEqual(all);
    expect((await start()).checked).toEqual(all);
    chmodSync(kept(), 0o700);
  });

  it.skipIf(process.getuid?.() !== 0)('belongs to another user', async () => {
    const first = await start();
    for (const file of keptFiles()) chownSync(file, 12_345, 12_345);
    expect(await start()).toEqual(first);
    expect((await start()).checked).toEqual([]);
  });
});

describe('what is kept', () => {
  const subject: CheckSubject = { kind: 'sdl', digest: '', file: 'schema.graphql', lenient: true };

  it('is whole whenever it is read, however many processes write it', async () => {
    const warnings = Array.from({ length: 2000 }, (_, i) => `schema.graphql:${i}:1: doubtful`);
    const program = `
      const { createKeptChecks } = await import(${JSON.stringify(
        new URL('../../../src/kit/process/kept-checks.ts', import.meta.url).href,
      )});
      const checks = createKeptChecks(new URL(${JSON.stringify(pathToFileURL(kept()).href)}), 'one');
      const found = new Set();
      for (let i = 0; i < 300; i++) {
        const { warnings, keep } = checks(${JSON.stringify(subject)});
        found.add(warnings?.length ?? 'none');
        keep(${JSON.stringify(warnings)});
      }
      console.log([...found].join());`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    const outputs = await Promise.all([run(), run(), run()]);
    for (const { stdout } of outputs) expect(['none,2000\n', '2000\n']).toContain(stdout);
    expect(keptChecks('one')(subject).warnings).toEqual(warnings);
    expect(keptFiles()).toHaveLength(1);
  });

  it('is at most a hundred contracts, those checked last', () => {
    const checks = keptChecks('one');
    const of = (i: number) => checks({ ...subject, digest: String(i) });
    for (let i = 0; i < 120; i++) of(i).keep([]);
    expect(keptFiles()).toHaveLength(100);
    expect(of(119).warnings).toEqual([]);
  });
});
