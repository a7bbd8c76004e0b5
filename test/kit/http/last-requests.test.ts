import { once } from 'node:events';
import { connect } from 'node:net';
import consumers from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/kit/http/exchange.ts';
import { answersIn, sendRaw } from '../../../tools/support/raw-http.ts';
import { useHttpServer } from '../../support/http-server.ts';

const reply: Reply = { status: 200, headers: {}, body: '"!"' };
const held: ((reply: Reply) => void)[] = [];
const server = useHttpServer(({ path }) =>
  path === '/held' ? new Promise((resolve) => held.push(resolve)) : reply,
);
let parsed = 0;
server.server.on('request', () => parsed++);

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const statuses = (text: string) => answersIn(text).map(({ status }) => status);

describe('a request after which no byte can be trusted', () => {
  it.each([
    [
      'asks for another protocol',
      'GET /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
    [
      'comes in chunks of HTTP/1.0',
      'POST /x HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('(one that %s) is the last of its connection', async (_, text) => {
    const answer = await sendRaw(server.url, `${text}${get('/x')}`);
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
  });
});

describe('a request that node:http calls late', () => {
  const half = 'GET /x HTTP/1.1\r\nHo';

  /** What is answered to requests of which the last is late, and to those that complete it. */
  async function answered(requests: string, rest: string, count: number): Promise<number[]> {
    const connected = once(server.server, 'connection');
    const client = connect(server.port, '127.0.0.1');
    const [near] = await connected;
    client.write(requests);
    while (held.length === 0) await setImmediate();
    const code = 'ERR_HTTP_REQUEST_TIMEOUT';
    server.server.emit('clientError', Object.assign(new Error(code), { code }), near);
    const before = parsed;
    client.write(rest);
    while (parsed < before + count) await setImmediate();
    held.pop()?.(reply);
    return statuses(await consumers.text(client));
  }

  it('is refused once, after the answer before, and what follows is ignored', async () => {
    const rest = `st: x\r\n\r\n${get('/x')}`;
    expect(await answered(`${get('/held')}${half}`, rest, 2)).toEqual([200, 408]);
  });

  it('is answered where one waits: its connection may not have been read', async () => {
    const rest = 'st: x\r\nConnection: close\r\n\r\n';
    const waiting = `${get('/held')}${get('/x')}${half}`;
    expect(await answered(waiting, rest, 1)).toEqual([200, 200, 200]);
  });
});
