// engines: sqlite
// slow: starts processes
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { atOnce } from '../../../tools/support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-last-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = '/held: { get: { operationId: hold, responses: { 204: { description: Held. } } } }';
writeFileSync(
  join(folder, 'openapi.yaml'),
  `{ openapi: 3.1.0, info: { title: Held, version: '1' }, paths: { ${path} } }`,
);

/** A program that stops itself while a request is under way, and tells for how long it waits for its reader then. */
const program = `
  const { run } = await import(${JSON.stringify(new URL('../../../src/kit/process/run.ts', import.meta.url).href)});
  const { setTimeout: own } = globalThis;
  const waits = [];
  globalThis.setTimeout = (act, ms, ...given) => {
    waits.push({ act, ms });
    return own(act, ms, ...given);
  };
  const { write } = process.stdout;
  process.stdout.write = (text, ...given) => {
    const [, url] = /Accord is at ([^"]+)/.exec(text) ?? [];
    if (url) void fetch(url + '/held');
    return write.call(process.stdout, text, ...given);
  };
  const hold = async () => {
    process.emit('SIGTERM', 'SIGTERM');
    await new Promise((done) => own(done, 200));
    return { status: 204, headers: {}, body: undefined };
  };
  await run({ openapi: new URL('openapi.yaml', import.meta.url), handlers: () => ({ hold }) });
  const { act, ms } = waits.at(-1);
  const { exit } = process;
  process.exit = () => {
    process.stderr.write('ends after ' + ms);
    process.exit = exit;
  };
  act();`;

it('a server that is stopped says so when all is answered, and waits two seconds for the reader of its log', () => {
  const file = join(folder, 'main.mjs');
  writeFileSync(file, program);
  const { PATH } = process.env;
  const env = { PATH, PORT: '0', ...atOnce };
  const options = { encoding: 'utf8', env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], options);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ msg, operation }) => msg ?? operation)).toEqual([
    ...[expect.stringMatching(/^Accord is at /), 'SIGTERM: draining', 'hold', 'Stopped'],
  ]);
  expect([status, stderr]).toEqual([0, 'ends after 2000']);
});
