// engines: sqlite
// slow: starts processes
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

const accord = new URL('../../../src/kit/cli/accord.ts', import.meta.url).pathname;
const galaxy = new URL('../../../node_modules/@scalar/galaxy/dist/latest.yaml', import.meta.url)
  .pathname;

describe('accord proxy', () => {
  it('reports at its end what broke the contract', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
    const server = createServer((_, response) => void response.end('[]')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const secret = address.replace('//', '//user:secret@');
    const args = ['proxy', secret, '--openapi', galaxy, '--port', '0', '--report', 'out/drift'];
    const child = spawn(process.execPath, [accord, ...args], { cwd: folder });
    const lines: string[] = [];
    const output = createInterface(child.stdout).on('line', (line) => lines.push(line));
    const [first = ''] = await once(output, 'line');
    const [url] = first.split(' ');
    expect(first).toBe(`${url} passes on to ${address}/`);
    expect(await (await fetch(`${url}/planets?colour=red`)).text()).toBe('[]');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    server.close();
    const report = JSON.parse(readFileSync(join(folder, 'out/drift.json'), 'utf8'));
    const page = readFileSync(join(folder, 'out/drift.html'), 'utf8');
    rmSync(folder, { recursive: true });
    expect(code).toBe(1);
    expect(report).toMatchObject({ isKept: false, requests: 1 });
    expect(report.sections[0].parts).toMatchObject([
      { operation: 'getAllData', place: '/query/colour', count: 1, example: 'GET /planets' },
    ]);
    expect(page).toContain('getAllData: /query/colour is not a parameter of this operation');
    expect(lines.join('\n')).toContain('Requests that break the contract: 1');
  });

  it('fails where the server does not answer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
    const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ['proxy', address, '--openapi', galaxy, '--port', '0', '--report', 'drift'];
    const child = spawn(process.execPath, [accord, ...args], { cwd: folder });
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const [first] = await once(child.stdout, 'data');
    const [url] = String(first).split(' ');
    for (let i = 0; i < 2; i++) expect((await fetch(`${url}/planets`)).status).toBe(502);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    server.close();
    const { isKept, sections } = JSON.parse(readFileSync(join(folder, 'drift.json'), 'utf8'));
    rmSync(folder, { recursive: true });
    const [out, told] = await said;
    const line = 'getAllData: server cannot be reached: ECONNRESET';
    expect(told.match(/^answer of .*$/gm)).toEqual([`answer of ${line} (GET /planets)`]);
    expect(out.split('\n').slice(1, 5)).toEqual([
      '2 requests',
      'Requests that break the contract: 0',
      'Answers that break the contract: 1',
      `  2 × ${line}`,
    ]);
    expect([code, isKept]).toEqual([1, false]);
    expect(sections.at(-1).parts).toEqual([{ name: 'getAllData → no whole answer', count: 2 }]);
  });

  it('says what is doubtful in the contracts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
    const none = '{ get: { operationId: it, responses: { 204: { description: None. } } } }';
    writeFileSync(
      join(folder, 'openapi.yaml'),
      `openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths:\n  /a: ${none}\n  /b: ${none}\n`,
    );
    const sdl = 'directive @defer on FIELD\ntype Query { a: Int }\n';
    writeFileSync(join(folder, 'schema.graphql'), sdl);
    const args = [accord, 'proxy', 'http://127.0.0.1:1', '--port', '0'];
    const child = spawn(process.execPath, args, { cwd: folder });
    const said = text(child.stderr);
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
    expect(await said).toMatch(/^warning: openapi\.yaml:\d+:\d+: .*\nschema\.graphql:1:1: .*\n$/);
  });

  it.each([
    ['no address', [], 'needs the address of a server'],
    ['what is no address', ['localhost'], 'takes an address such as'],
    ['an unknown file', ['http://localhost:1', '--openapi', 'nowhere.yaml'], 'there is no file'],
    [
      'a port that is none',
      ['http://localhost:1', '--openapi', galaxy, '--port', 'x'],
      '--port takes a number from 0 to 65535, not x',
    ],
    ['no time', ['http://a.test', '--timeout', '0'], '--timeout takes a number from 1 to 86400'],
    [
      'a time that looks like an option',
      ['http://a.test', '--timeout', '-1'],
      /^accord proxy: Option '--timeout' argument is ambiguous\n/,
    ],
    [
      'a path of GraphQL that is none',
      ['http://a.test', '--graphql-path', 'graphql'],
      '--graphql-path takes a path such as /graphql, not graphql',
    ],
    [
      'a report that cannot be written',
      ['http://a.test', '--report', `${accord}/drift`],
      'accord.ts/drift cannot be written',
    ],
  ])('refuses %s', (_, args: readonly string[], message: string | RegExp) => {
    const { status, stderr } = spawnSync(process.execPath, [accord, 'proxy', ...args]);
    expect(status).toBe(2);
    expect(stderr.toString()).toMatch(message);
  });
});
