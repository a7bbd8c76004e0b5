// engines: sqlite
// long: starts processes
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../tools/support/free-port.ts';

const accord = new URL('../../../src/kit/cli/accord.ts', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'mock-'));
afterAll(() => rmSync(folder, { recursive: true }));

const content = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
const planet = "{ $ref: '#/components/schemas/Planet' }";
writeFileSync(
  join(folder, 'openapi.yaml'),
  `openapi: 3.1.0
info: { title: Sky, version: 1.0.0 }
paths:
  /planets:
    get: { operationId: list, responses: { 200: { description: All., ${content(`{ type: array, items: ${planet} }`)} } } }
    post: { operationId: create, requestBody: { required: true, ${content(planet)} }, responses: { 201: { description: Made., ${content(planet)} } } }
  /planets/{id}:
    get:
      operationId: get
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { 200: { description: It., ${content(planet)} }, 404: { description: None. } }
components: { schemas: { Planet: { type: object, required: [name], properties: { id: { type: integer }, name: { type: string, minLength: 5, maxLength: 40 } } } } }
`,
);
writeFileSync(join(folder, 'schema.graphql'), 'type Query { motto: String! }\n');

describe('accord mock', () => {
  /** What a mock answers to some requests. */
  async function answers(args: readonly string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [accord, 'mock', ...args], {
      cwd: folder,
      env: { ...process.env, DRAIN_DELAY: '0', DRAIN_GRACE: '0', ...env },
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    const address = () => text.match(/Accord is at ([^\s"]+)/)?.[1];
    while (!address()) {
      if (child.exitCode !== null) throw new Error(text);
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    }
    const url = address() ?? '';
    const headers = { 'content-type': 'application/json' };
    const send = async (path: string, body: object) =>
      (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).text();
    const first = await (await fetch(`${url}/planets`)).text();
    await send('/planets', { name: 'Saturn' });
    const second = await (await fetch(`${url}/planets`)).text();
    const graphql = await send('/graphql', { query: '{ motto }' });
    child.kill('SIGTERM');
    await once(child, 'exit');
    return { url, first, second, graphql };
  }

  it('keeps what it is sent, gives the same for the same seed, and listens where it is told', async () => {
    const port = String(await freePort());
    const one = await answers(['--port', port, '--host', '127.0.0.1', '--seed', '7'], {
      PORT: '1',
    });
    expect(one.url).toBe(`http://127.0.0.1:${port}`);
    expect(one.second).toContain('Saturn');
    expect(one.graphql).toContain('"motto"');
    const [same, other] = [
      await answers(['--seed', '7'], { PORT: '0' }),
      await answers(['--seed', '8'], { PORT: '0' }),
    ];
    expect([same.first, same.graphql]).toEqual([one.first, one.graphql]);
    expect([other.first, other.graphql]).not.toEqual([one.first, one.graphql]);
  });

  it('keeps nothing where it is told so, and serves the contracts that it is given', async () => {
    const { first, second, graphql } = await answers(['--stateless', '--openapi', 'openapi.yaml'], {
      PORT: '0',
    });
    expect(second).toBe(first);
    expect(graphql).not.toContain('"motto"');
  });

  it.each(['x', '-1', '1234567890'])('refuses the seed %s', (seed) => {
    const { status, stderr } = spawnSync(process.execPath, [accord, 'mock', `--seed=${seed}`], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      2,
      'accord mock: --seed takes a whole number\nSee: accord mock --help\n',
    ]);
  });
});
