// engines: sqlite
import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createBreaches } from '../../../src/kit/cli/proxy/breaches.ts';
import { createChecks } from '../../../src/kit/cli/proxy/checks.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { sendRaw, statusesIn } from '../../../tools/support/raw-http.ts';
import { openFiles } from '../../support/open-files.ts';
import { ask, createProxied } from '../../support/proxied.ts';

const { closing, listen, proxyBefore, close } = createProxied();
afterEach(close);

const json = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
const none = "responses: { '204': { description: None. } }";
const openapi = `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /a:
    get: { operationId: getA, security: [{ key: [] }], responses: { '200': { description: A., ${json('{ type: integer }')} } } }
    put: { operationId: putA, requestBody: { required: true, ${json('{ type: object }')} }, ${none} }
  /b/{id}:
    get: { operationId: getB, parameters: [{ name: id, in: path, required: true, x-malformed-status: 404, schema: { type: integer } }], ${none} }
  /files:
    post: { operationId: postFile, requestBody: { required: true, content: { multipart/form-data: { schema: { type: object, properties: { file: { type: string, format: binary } } } } } }, ${none} }
components: { securitySchemes: { key: { type: http, scheme: digest } } }
`;
const contract = await parseContract(openapi, 'openapi.yaml', { lenient: true });
const typed = { 'Content-Type': 'application/json' };
/** The address of a server that answers everything with 204. */
const answering = () => listen(createServer((_, response) => response.writeHead(204).end()));

describe('a proxy', () => {
  it('says which credentials it cannot check, and asks for none', async () => {
    const server = createServer((_, response) => response.writeHead(200, typed).end('1'));
    const { url, warnings, found } = await proxyBefore(await listen(server), { contract });
    expect(await ask(url)).toMatchObject({ status: 200, text: '1' });
    expect(await found()).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^openapi\.yaml:\d+:\d+: .*"key" is of the type http digest, which is not supported; credentials are not checked$/,
      ),
    ]);
  });

  it('says of a path that is not there, by the contract, that it is not admitted', async () => {
    const { url, found } = await proxyBefore(await answering(), { contract });
    await ask(url, { path: '/b/x' });
    expect(await found()).toEqual(['request of getB: /path is not admitted']);
  });

  it('checks a body of one byte', async () => {
    const { url, found } = await proxyBefore(await answering(), { contract });
    await ask(url, { method: 'PUT', headers: typed, body: '7' });
    expect(await found()).toEqual(['request of putA: /body must be object']);
  });

  it('holds the files of a form no longer than it looks at them', async () => {
    const { url, found } = await proxyBefore(await answering(), { contract });
    const form = new FormData();
    form.append('file', new Blob(['text']), 'a.txt');
    expect((await fetch(`${url}/files`, { method: 'POST', body: form })).status).toBe(204);
    expect(await found()).toEqual([]);
    while (openFiles(join(tmpdir(), 'upload-')).length > 0) await setImmediate();
  });

  it('refuses what cannot be checked, and says so', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    const failing = { ...contract, schemas: broken, compilerOf: broken };
    const server = createServer((_, response) => response.writeHead(200, typed).end('1'));
    const { url, warnings, found } = await proxyBefore(await listen(server), {
      ...{ contract: failing, refuse: true },
    });
    warnings.length = 0;
    expect((await ask(url)).status).toBe(502);
    expect(await found()).toEqual(['answer of GET /a: answer could not be checked']);
    expect(warnings).toEqual(['GET /a could not be checked: Error: broken']);
  });

  it('holds no question about the server as a whole to the contract', async () => {
    const { url, found } = await proxyBefore(await answering(), { contract, refuse: true });
    const asking = (target: string) =>
      sendRaw(url, `OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(statusesIn(await asking('*'))).toEqual([204]);
    expect(await found()).toEqual([]);
    expect(statusesIn(await asking('/a'))).toEqual([400]);
    expect(await found()).toEqual(['request of OPTIONS /a: method is not declared']);
  });

  it('does not wait for the rest of a request whose client went away', async () => {
    const server = createServer((_, response) => response.writeHead(204).end());
    const { url, checks, stop } = await proxyBefore(await listen(server), { contract });
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write('PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
    await once(socket, 'data');
    socket.destroy();
    await stop();
    closing.splice(closing.indexOf(stop), 1);
    expect([checks.traffic.requests, [...checks.traffic.answers]]).toEqual([1, []]);
  });
});

it('what is checked is waited for', async () => {
  const breaches = createBreaches(() => {});
  const checks = await createChecks({
    ...{ contract, schema: undefined, graphqlPath: '/graphql', breaches, onWarning: () => {} },
  });
  const request = Object.assign(new IncomingMessage(new Socket()), {
    ...{ method: 'PUT', url: '/a?b=1', complete: true },
    headers: { 'content-type': 'application/json', 'content-length': '2' },
  });
  void checks.watch(request).request(Buffer.from('{}'));
  await checks.settled();
  expect(breaches.kinds()).toMatchObject([{ place: '/query/b' }]);
});
