// engines: sqlite
// slow: starts processes
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckSubject } from '../../../src/kit/contract/check-cache.ts';
import { createKeptChecks } from '../../../src/kit/process/kept-checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'checker-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What checks contracts is a small project of its own here: a file of each folder, and packages with a version. */
const own = (path: string) => fileURLToPath(new URL(`../../../src/kit/${path}`, import.meta.url));
const parts: Readonly<Record<string, string>> = {
  'src/kit/contract/a.ts': 'export const a = 1;',
  'src/kit/graphql/b.ts': 'export const b = 1;',
  'node_modules/ajv/package.json': '{"version":"1.0.0"}',
  'node_modules/ajv-formats/package.json': '{"version":"1.0.0"}',
  'node_modules/@seriousme/openapi-schema-validator/package.json': '{"version":"1.0.0"}',
  'node_modules/graphql/index.mjs': 'export const version = "1.0.0";',
};
const put = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
for (const [path, text] of Object.entries(parts)) put(path, text);
put('package.json', '{"type":"module"}');
put('node_modules/graphql/package.json', '{"exports":"./index.mjs"}');
for (const name of ['kept-checks.ts', 'compile-cache.ts']) {
  mkdirSync(join(folder, 'src/kit/process'), { recursive: true });
  cpSync(own(`process/${name}`), join(folder, 'src/kit/process', name));
}

/** What a start finds kept; it keeps it then. */
function found(node = process.version): unknown {
  const program = `
    Object.defineProperty(process, 'version', { value: ${JSON.stringify(node)} });
    const { createKeptChecks } = await import(${JSON.stringify(
      pathToFileURL(join(folder, 'src/kit/process/kept-checks.ts')).href,
    )});
    const folder = new URL(${JSON.stringify(pathToFileURL(join(folder, 'checks/')).href)});
    const { warnings, keep } = createKeptChecks(folder)({ kind: 'sdl', digest: 'x', file: 'f', lenient: true });
    keep(['doubtful']);
    console.log(JSON.stringify(warnings ?? null));`;
  const args = ['--input-type=module', '-e', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

it('a contract that passed is kept for the next start', () => {
  expect(found()).toBeNull();
  expect(found()).toEqual(['doubtful']);
  put('src/kit/contract/a.d.ts.map', '{}');
  expect(found()).toEqual(['doubtful']);
});

it.each(Object.keys(parts))('it is checked again after another version of %s', (path) => {
  put(path, String(parts[path]).replace('1', '2'));
  expect(found()).toBeNull();
  put(path, String(parts[path]));
  expect(found()).toEqual(['doubtful']);
});

it('it is checked again by another version of Node', () => {
  expect(found('v0.0.0')).toBeNull();
  expect(found()).toEqual(['doubtful']);
});

it('nothing is kept where the version of the checker cannot be told', () => {
  rmSync(join(folder, 'node_modules/ajv'), { recursive: true });
  expect([found(), found()]).toEqual([null, null]);
});

describe('what is kept', () => {
  const subject: CheckSubject = { kind: 'sdl', digest: '', file: 'schema.graphql', lenient: true };
  const kept = join(folder, 'kept/');
  const keptFiles = () => readdirSync(kept).map((name) => join(kept, name));
  const checks = createKeptChecks(pathToFileURL(kept), 'one');
  beforeEach(() => rmSync(kept, { recursive: true, force: true }));

  it('is the hundred checked last, by the time of their files', () => {
    const of = (i: number) => checks({ ...subject, digest: String(i) });
    const known = new Set<string>();
    for (let i = 0; i < 100; i++) {
      of(i).keep([String(i)]);
      for (const file of keptFiles().filter((each) => !known.has(each))) {
        known.add(file);
        // The later ones have the earlier times.
        utimesSync(file, 10_000 - i, 10_000 - i);
      }
    }
    of(100).keep(['100']);
    const kept = Array.from({ length: 101 }, (_, i) => i).filter((i) => of(i).warnings);
    expect(kept).toEqual([...Array.from({ length: 99 }, (_, i) => i), 100]);
  });

  it('leaves no draft where it cannot be put in its place, and no file open', () => {
    checks(subject).keep([]);
    const [file = ''] = keptFiles();
    rmSync(file);
    mkdirSync(join(file, 'full'), { recursive: true });
    checks(subject).keep([]);
    expect(keptFiles()).toEqual([file]);
    rmSync(file, { recursive: true });
    checks(subject).keep(['doubtful']);
    const open = () => readdirSync('/proc/self/fd').filter((fd) => isOf(fd, file)).length;
    for (let i = 0; i < 5; i++) expect(checks(subject).warnings).toEqual(['doubtful']);
    expect(open()).toBe(0);
  });
});

function isOf(fd: string, file: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === file;
  } catch {
    return false;
  }
}
