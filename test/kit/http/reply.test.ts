import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import consumers from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { carry } from '../../../src/kit/http/common-headers.ts';
import { sendWhole, type WholeReply } from '../../../src/kit/http/reply.ts';

/** Who answers: `plain` as it is, `node` with node:http's own writer, which is taken where another listens in. */
type By = 'plain' | 'node';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

async function listening(answer: RequestListener): Promise<Server> {
  const server = createServer({ requireHostHeader: false }, answer);
  server.keepAliveTimeout = 0;
  // As the server does: who answers decides whether the body is wanted.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return server;
}

async function connected(server: Server): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** All that a server writes to a connection that is sent these requests. */
async function written(server: Server, text: string): Promise<string> {
  const socket = await connected(server);
  socket.write(text);
  const bytes = await consumers.buffer(socket);
  return bytes.toString('latin1').replaceAll(/Date: .*\r\n/g, 'Date: now\r\n');
}

function listenIn(response: ServerResponse): void {
  const { writeHead } = response;
  const listening = (...given: unknown[]) => Reflect.apply(writeHead, response, given);
  response.writeHead = listening;
}

/** The same reply by both; each notes what the answer says of itself once it is over. */
async function both(reply: WholeReply, text: string, prepare = (_: ServerResponse) => {}) {
  const seen: Record<By, unknown[]> = { plain: [], node: [] };
  const by = async (who: By) => {
    const server = await listening((request, response) => {
      if (who === 'node') listenIn(response);
      prepare(response);
      response.on('close', () => {
        const { statusCode, writableFinished, headersSent, writableEnded } = response;
        seen[who].push({ statusCode, writableFinished, headersSent, writableEnded });
      });
      request.resume();
      sendWhole(response, reply);
    });
    return written(server, text);
  };
  const [plain, node] = [await by('plain'), await by('node')];
  return { plain, node, seen };
}

const ok: WholeReply = { status: 200, headers: { ETag: '"1"' }, body: '{"id":1}' };

describe('an answer that is written plainly', () => {
  it('has the bytes of node:http, whatever it says', async () => {
    const ascii = fc.string({ unit: 'binary-ascii' }).map((text) => text.replaceAll(/[^ -~]/g, ''));
    const value = fc.oneof({ weight: 4, arbitrary: ascii }, fc.constantFrom('é', 'ÿ\t', '\x80'));
    const replies = fc.record({
      status: fc.constantFrom(200, 201, 204, 304, 400, 404, 405, 412, 503),
      headers: fc.dictionary(fc.constantFrom('ETag', 'Location', 'Link', 'Retry-After'), value),
      type: fc.constantFrom('application/json', 'text/plain; charset=utf-8'),
      body: fc.string({ unit: 'grapheme', maxLength: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(replies, fc.boolean(), ascii, async (reply, isBare, id) => {
        const whole = isBare ? { ...reply, body: undefined } : reply;
        const { plain, node, seen } = await both(whole, GET + GET + LAST, (response) =>
          carry(response, 'X-Request-Id', id.trim()),
        );
        expect(plain).toBe(node);
        expect(plain.match(/HTTP\/1\.1 \d{3} /g)).toHaveLength(3);
        expect(seen.plain).toEqual(seen.node);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['HEAD', 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
    ['HTTP/1.0 that is kept', 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
    ['a connection to be closed', ''],
    ['a body nobody reads', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'],
    [
      'an expectation',
      'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
    ],
  ])('is node:http’s where that decides something: %s', async (_, text) => {
    const { plain, node, seen } = await both(ok, text + LAST);
    expect(plain).toBe(node);
    expect(seen.plain).toEqual(seen.node);
  });

  it('is node:http’s where nothing is said to a client that is not kept by its version', async () => {
    const nothing = { status: 204, headers: {}, body: undefined };
    const text = 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n';
    const { plain, node } = await both(nothing, text);
    expect(plain).toBe(node);
  });

  it('has the headers that were set before', async () => {
    const { plain, node } = await both(ok, GET + LAST, (response) => {
      response.setHeader('X-Set', 'yes');
    });
    expect(plain).toBe(node);
    expect(plain.match(/X-Set: yes\r\n/g)).toHaveLength(2);
  });

  it('closes its connection where that is wanted', async () => {
    const { plain, node } = await both(ok, GET, (response) => {
      response.shouldKeepAlive = false;
    });
    expect(plain).toBe(node);
    expect(plain).toContain('Connection: close\r\n');
  });

  it.each(['writeHead', 'end'] as const)('can be listened in on at %s', async (name) => {
    const heard: unknown[] = [];
    const server = await listening((_, response) => {
      const { [name]: original } = response;
      const listenIn = (...given: unknown[]) => {
        heard.push(given);
        return Reflect.apply(original, response, given);
      };
      Object.assign(response, { [name]: listenIn });
      sendWhole(response, ok);
    });
    expect(await written(server, GET + LAST)).toContain('{"id":1}');
    expect(heard).toHaveLength(2);
    expect(heard[0]).toContain(name === 'end' ? ok.body : ok.status);
  });

  it('never holds a line break that a header was given', async () => {
    const headers = { Location: '/x\r\nSet-Cookie: a=b' };
    const server = await listening((_, response) => {
      try {
        sendWhole(response, { ...ok, headers });
      } catch {
        sendWhole(response, { status: 500, headers: {}, body: '{}' });
      }
    });
    const text = await written(server, GET + LAST);
    expect(text).not.toContain('Set-Cookie');
    expect(text.match(/HTTP\/1\.1 500 /g)).toHaveLength(2);
  });

  it('is over when a client that takes its time has all of it', async () => {
    const { server, answers, over } = await answering();
    const socket = await connected(server);
    const sent = await fillUp(socket, answers, over);
    socket.write(LAST);
    const text = await consumers.text(socket);
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(sent + 1);
    expect(text.split(LONG)).toHaveLength(sent + 2);
    expect(over).toEqual(Array(sent + 1).fill(true));
  });

  it('is over with its connection when the client goes away before', async () => {
    const { server, answers, over } = await answering();
    const socket = await connected(server);
    const sent = await fillUp(socket, answers, over);
    // No answer before it waits to go out.
    expect(answers.at(-1)?.socket?.writableLength).toBeLessThan(2 * LONG.length);
    const closed = once(answers.at(-1) ?? socket, 'close');
    socket.resetAndDestroy();
    await closed;
    expect(over).toEqual([...Array(sent - 1).fill(true), false]);
  });
});

describe('an answer to a client that has gone', () => {
  it.each(['end', 'close'])('is not taken for one that went out (%s)', async (event) => {
    const given = Promise.withResolvers<ServerResponse>();
    const server = await listening((_, response) => given.resolve(response));
    const socket = await connected(server);
    socket.write(GET);
    const response = await given.promise;
    const heard: string[] = [];
    for (const name of ['error', 'clientError']) server.on(name, () => heard.push(name));
    response.on('finish', () => heard.push('finish'));
    const answered = new Promise<void>((resolve) =>
      response.socket?.once(event, () => {
        sendWhole(response, ok);
        resolve();
      }),
    );
    socket.end();
    await answered;
    await setImmediate();
    expect(heard).toEqual([]);
    expect(response.writableFinished).toBe(false);
  });
});

const LONG = JSON.stringify('x'.repeat(60_000));

/** A server of long answers; those it gave, and of each that is over whether all of it went out. */
async function answering() {
  const answers: ServerResponse[] = [];
  const over: boolean[] = [];
  const server = await listening((_, response) => {
    answers.push(response);
    response.on('close', () => over.push(response.writableFinished));
    sendWhole(response, { status: 200, headers: {}, body: LONG });
  });
  return { server, answers, over };
}

/** Asks without reading, until the buffers between both sides are full and an answer is not over. */
async function fillUp(
  socket: Socket,
  answers: readonly unknown[],
  over: readonly unknown[],
): Promise<number> {
  socket.pause();
  for (let sent = 1; ; sent++) {
    socket.write(GET);
    while (answers.length < sent) await setImmediate();
    // What is out at once is over before the next turn.
    await setImmediate();
    if (over.length < sent) return sent;
  }
}
