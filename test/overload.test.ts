import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { answersIn, sendRaw } from './support/raw.ts';
import { type TestServer, useServer } from './support/server.ts';

const body = '{"title":"one too many"}';
const head =
  `POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${body.length}\r\n`;

describe('more requests at a time than a process takes on', () => {
  const server = useServer({ MAX_IN_FLIGHT: '2' });
  const { api, graphql } = server;

  it('are 503 with Retry-After before their bodies are read, in the shape of each protocol', async () => {
    const slow = [await open(server), await open(server)];
    for (const socket of slow) socket.write(`${head}\r\n{`);
    while ((await api({ path: '/tasks' })).status === 200);

    for (const path of ['/tasks', '/tasks?limit=x', '/openapi.yaml']) {
      const { status, headers, json } = await api({ path });
      expect([status, headers['retry-after'], json.status]).toEqual([503, '1', 503]);
    }
    const refused = await graphql('{ users { id } }');
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json.errors[0].extensions.code).toBe('UNAVAILABLE');
    for (const expectation of ['', 'Expect: 100-continue\r\n']) {
      const text = await sendRaw(server.url, `${head}Connection: close\r\n${expectation}\r\n`);
      expect(answersIn(text)).toMatchObject([{ status: 503, problem: { status: 503 } }]);
    }

    const elsewhere = await fetch(`${server.url}/docs`);
    expect(elsewhere.headers.get('retry-after')).toBe('1');

    for (const path of ['/healthz', '/readyz']) expect((await api({ path })).status).toBe(200);
    for (const socket of slow) socket.write(body.slice(1));
    const answers = await Promise.all(slow.map((socket) => once(socket, 'data')));
    expect(answers.map(String)).toEqual([
      expect.stringMatching(/^HTTP\/1.1 201/),
      expect.stringMatching(/^HTTP\/1.1 201/),
    ]);
    for (const socket of slow) socket.destroy();
    while ((await api({ path: '/tasks' })).status !== 200);
    expect((await api({ path: '/tasks' })).json.length).toBe(2);
  });

  it('are asked for their bodies when there is room', async () => {
    const socket = await open(server);
    socket.write(`${head}Expect: 100-continue\r\n\r\n`);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\n$/);
    socket.write(body);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 201/);
    socket.destroy();
  });
});

describe('more connections than a process takes on', () => {
  const server = useServer({ MAX_CONNECTIONS: '3' });

  it('are told so and closed; whoever looks after the server is answered', async () => {
    const idle = [await open(server), await open(server), await open(server)];
    const get = (path: string) => sendRaw(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const refused = await get('/books');
    expect(refused).toMatch(/^HTTP\/1.1 503/);
    expect(refused).toContain('\r\nRetry-After: 1\r\n');
    expect(refused).toContain('\r\nConnection: close\r\n');
    expect(answersIn(refused)).toMatchObject([{ status: 503, problem: { status: 503 } }]);
    expect(await get('/healthz')).toMatch(/^HTTP\/1.1 200/);

    for (const socket of idle) socket.destroy();
    while ((await server.api({ path: '/books' })).status !== 200);
  });
});

async function open({ url }: TestServer): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}
