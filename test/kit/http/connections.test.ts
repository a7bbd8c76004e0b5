// slow: waits for timeouts
import { once } from 'node:events';
import { connect } from 'node:net';
import consumers from 'node:stream/consumers';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bodyStream } from '../../../src/kit/http/body.ts';
import type { Exchange, Reply } from '../../../src/kit/http/exchange.ts';
import type { Timeouts } from '../../../src/kit/http/server.ts';
import { answersIn, sendRaw, statusesIn } from '../../../tools/support/raw-http.ts';
import { useServer } from '../../support/api-server.ts';
import { useHttpServer } from '../../support/http-server.ts';
import { useProcess } from '../../support/process.ts';

const server = useServer();
const { api } = server;
const raw = (text: string, later = '', url = server.url) => sendRaw(url, text, { later });
const get = 'GET /greet/en HTTP/1.1\r\nHost: x\r\n';
const closing = 'Connection: close\r\n\r\n';
const last = `Host: x\r\n${closing}`;
const json = 'Host: x\r\nContent-Type: application/json\r\n';

describe('what is not a request of HTTP', () => {
  it.each([
    ['nonsense', 'GET / HTTP/9.9 nonsense\r\n\r\n', 400],
    ['no host', 'GET /books HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', `GET /books HTTP/1.1\r\nHost: y\r\n${last}`, 400],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['headers of more than 16 KiB', `${get}X: ${'x'.repeat(16_384)}\r\n\r\n`, 431],
    [
      'two lengths',
      `POST /books HTTP/1.1\r\n${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      400,
    ],
    [
      'a length and chunks',
      `POST /books HTTP/1.1\r\n${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
    ],
  ])('(%s) is answered in the one shape', async (_, text, status) => {
    const [answer] = answersIn(await raw(text));
    expect(answer).toMatchObject({ status, problem: { status } });
  });

  it.each([
    ['no host', 'POST /graphql HTTP/1.1\r\nConnection: close\r\n'],
    ['a malformed host', 'POST /graphql HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n'],
    ['a body that is no HTTP', `POST /graphql HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n`],
  ])('(POST /graphql with %s) is answered in the shape of GraphQL', async (_, head) => {
    const text = await raw(`${head}\r\nNONSENSE\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    const { errors } = JSON.parse(text.split('\r\n\r\n')[1] ?? '');
    expect(errors[0].extensions.code).toBe('BAD_REQUEST');
  });

  it('is refused with a date, as everything is answered', async () => {
    const text = await raw('NONSENSE\r\n\r\n');
    const date = text.match(/^Date: (.*)$/m)?.[1] ?? '';
    expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(60_000);
  });

  it.each([
    ['a space', 'a b'],
    ['a path', 'example.com/x'],
    ['a user', 'user@example.com'],
    ['a port that is none', 'example.com:80x'],
    ['an address without its bracket', '[::1'],
    ['a list', 'a, b'],
  ])('(a host with %s) is 400, in HTTP/1.0 too', async (_, host) => {
    for (const version of ['1.1', '1.0']) {
      const text = await raw(`GET /greet/en HTTP/${version}\r\nHost: ${host}\r\n${closing}`);
      expect(answersIn(text)).toMatchObject([{ status: 400, problem: { status: 400 } }]);
    }
  });

  it.each(['example.com', 'example.com:80', 'x', '[::1]:3000', '127.0.0.1:1', 'a_b.c', ''])(
    'a host such as "%s" is none of that',
    async (host) => {
      const text = await raw(`GET /greet/en HTTP/1.1\r\nHost: ${host}\r\n${closing}`);
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it.each(['0.9', '2.0'])('(HTTP/%s) is 400', async (version) => {
    const text = await raw(`GET /greet/en HTTP/${version}\r\n${last}`);
    expect(answersIn(text)).toMatchObject([{ status: 400 }]);
  });

  it.each(['foo://bar', '*', '//', '/\\'])(
    'a target like %s is 404 in the one shape',
    async (target) => {
      const [answer] = answersIn(await raw(`GET ${target} HTTP/1.1\r\n${last}`));
      expect(answer).toMatchObject({ status: 404, problem: { status: 404 } });
    },
  );

  it.each([
    'http://',
    'http:///books',
    'http://:80/books',
    'http://[::bad/books',
    'HTTPS://a@b/books',
  ])('(a target like %s, whose host is malformed) is 400', async (target) => {
    for (const version of ['1.1', '1.0']) {
      const [answer] = answersIn(await raw(`GET ${target} HTTP/${version}\r\n${last}`));
      expect(answer).toMatchObject({ status: 400, problem: { status: 400 } });
    }
  });

  it('a request may have headers of almost 16 KiB', async () => {
    const text = await raw(`${get}X: ${'x'.repeat(16_000)}\r\n${closing}`);
    expect(statusesIn(text)).toEqual([200]);
  });

  it('a request that names its scheme and host is the same request', async () => {
    const text = await raw(`GET http://example.com/greet/en HTTP/1.1\r\n${last}`);
    expect(text).toContain('{"lang":"en","greeting":"Hello"}');
    expect(await raw(`GET http://example.com HTTP/1.1\r\n${last}`)).toContain('"docs":"/docs"');
  });
});

describe('a client that waits to be asked for its body', () => {
  const waiting = `HTTP/1.1\r\n${json}Expect: 100-continue\r\nConnection: close\r\nContent-Length:`;

  it('is asked, and answered', async () => {
    const body = '{"title":"a wait"}';
    const text = await raw(`POST /tasks ${waiting} ${body.length}\r\n\r\n`, body);
    expect(statusesIn(text)).toEqual([100, 201]);
  });

  it.each([
    ['too large', 'POST /tasks', 262_145, 413],
    ['for a path that is not there', 'POST /nowhere', 9, 404],
    ['for a method that is not allowed', 'PUT /tasks', 9, 405],
  ])('(%s) is not asked for it', async (_, line, length, status) => {
    const text = await raw(`${line} ${waiting} ${length}\r\n\r\n`);
    expect(statusesIn(text)).toEqual([status]);
  });
});

describe('a body that is read while its answer is sent', () => {
  async function* answer(exchange: Exchange) {
    yield 'begun ';
    // The head has left when the next piece is asked for.
    while (!exchange.response.headersSent) await setImmediate();
    yield await consumers.text(bodyStream(exchange));
  }
  const echo = useHttpServer(async (exchange) => ({
    ...{ status: 200, headers: {}, type: 'text/plain' },
    body: answer(exchange),
  }));

  it('is not asked for in the middle of the answer', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n';
    const text = await raw(`${head}Content-Length: 4\r\n\r\n`, 'sent', echo.url);
    expect(text).not.toContain('100 Continue');
    expect(text).toMatch(/^HTTP\/1\.1 200 .*begun .*sent/s);
  });
});

it('a header counts, however many stand before it', async () => {
  const others = Array.from({ length: 2000 }, (_, i) => `x${i}:\r\n`).join('');
  const text = await raw(`GET /greet/en HTTP/1.1\r\nHost: x\r\n${others}Host: y\r\n\r\n`);
  expect(answersIn(text)).toMatchObject([{ status: 400, problem: { status: 400 } }]);
});

describe('HTTP/1.0', () => {
  const body = '{"title":"of 1.0"}';
  const post = 'POST /tasks HTTP/1.0\r\nContent-Type: application/json\r\n';

  it('may name no host, or one', async () => {
    for (const host of ['', 'Host: x\r\n']) {
      expect(await raw(`GET /greet/en HTTP/1.0\r\n${host}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    }
    const two = await raw('GET /greet/en HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n');
    expect(answersIn(two)).toMatchObject([{ status: 400, problem: { status: 400 } }]);
  });

  it('is not asked to go on with 100 Continue', async () => {
    const expecting = `${post}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(answersIn(await raw(expecting)).map(({ status }) => status)).toEqual([201]);
  });

  it('with a body in chunks is not kept alive', async () => {
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const text = await raw(
      `${post}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}` +
        'GET /greet/en HTTP/1.0\r\n\r\n',
    );
    expect(answersIn(text).map(({ status }) => status)).toEqual([201]);
    expect(text).toMatch(/\r\nConnection: close\r\n/);
  });
});

describe('a connection that is reset', () => {
  const hit = useProcess();
  const heads = {
    'a tunnel': 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    'a tunnel behind a request': `${get}\r\nCONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`,
    'another protocol': `${get}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    nonsense: 'NONSENSE\r\n\r\n',
    'half a body': `POST /tasks HTTP/1.1\r\n${json}Content-Length: 100\r\n\r\n{`,
    'a list': 'GET /books HTTP/1.1\r\nHost: x\r\n\r\n',
  };

  it.each(Object.entries(heads))('after asking for %s ends nothing else', async (_, text) => {
    const { hostname, port } = new URL(hit.url);
    for (const pause of [0, 1, 50, 200]) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(text);
      if (pause > 0) await sleep(pause);
      socket.resetAndDestroy();
    }
    for (let i = 0; i < 3; i++) {
      await sleep(20);
      expect((await fetch(`${hit.url}/healthz`)).status).toBe(200);
    }
  });
});

describe('requests on one connection', () => {
  it('are answered each, though a tunnel is asked for in the same packet', async () => {
    const body = '{"title":"before a tunnel"}';
    const write = `POST /tasks HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`;
    const text = await raw(`${write}${get}\r\nCONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answersIn(text).map(({ status }) => status)).toEqual([201, 200, 400]);
    expect(text).toContain('before a tunnel');
  });

  it('take turns: a read sees what the write before it has written', async () => {
    const body = '{"title":"in turn"}';
    const write = `POST /tasks HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`;
    const text = await raw(`${write}GET /tasks HTTP/1.1\r\n${last}`);
    expect(answersIn(text).map(({ status }) => status)).toEqual([201, 200]);
    expect(text.split('in turn').length).toBe(3);
  });

  it('are answered each, though the client closes its side right after them', async () => {
    const body = '{"title":"before the end"}';
    const write = `POST /tasks HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`;
    const { hostname, port } = new URL(server.url);
    for (const count of [1, 2, 40]) {
      const before = (await api({ path: '/tasks' })).json.length;
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.end(write.repeat(count));
      const statuses = answersIn(await consumers.text(socket)).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: count }, () => 201));
      expect((await api({ path: '/tasks' })).json.length).toBe(before + count);
    }
  });

  it('end with one that asks for another protocol: what follows is not taken for requests', async () => {
    const upgrade = `${get}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    const body = '{"title":"smuggled"}';
    const write = `POST /tasks HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`;
    for (const later of ['', write]) {
      const text = await raw(`${upgrade}${later ? '' : write}`, later);
      expect(answersIn(text).map(({ status }) => status)).toEqual([200]);
      expect(text).toMatch(/\r\nConnection: close\r\n/);
    }
    expect((await api({ path: '/tasks' })).text).not.toContain('smuggled');
  });

  it('are answered each, though nonsense follows in the same packet', async () => {
    const body = '{"title":"answered"}';
    const write = `POST /tasks HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`;
    const text = await raw(`${write}NONSENSE\r\n\r\n`);
    expect(answersIn(text).map(({ status }) => status)).toEqual([201, 400]);
  });

  it('are not mixed up: nonsense or a tunnel does not cut into a long list', async () => {
    for (let i = 0; i < 300; i++) {
      await api({
        method: 'POST',
        path: '/notes',
        json: { title: `${i}`, body: 'x'.repeat(5000) },
      });
    }
    const list = 'GET /notes HTTP/1.1\r\nHost: x\r\n\r\n';
    const tunnel = 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const [text, later] of [
      [list, 'NONSENSE\r\n\r\n'],
      [list, tunnel],
      [list + tunnel, ''],
      [list + list + tunnel, ''],
    ] as const) {
      const answers = await raw(text, later);
      const end = answers.lastIndexOf('\r\n0\r\n\r\n');
      expect(end).toBeGreaterThan(1_000_000);
      expect(answers.indexOf('HTTP/1.1 400')).toBeGreaterThan(end);
    }
  });

  it('are answered in order, though the body of one that waits is nonsense', async () => {
    const title = 'a body that breaks off';
    const broken = `POST /tasks HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n`;
    const chunk = `{"title":"${title}"}`;
    const text = await raw(
      `GET /notes HTTP/1.1\r\nHost: x\r\n\r\n${get}\r\n${broken}${chunk.length.toString(16)}\r\n${chunk}\r\n`,
      'NONSENSE\r\nmore of it\r\n',
    );
    const starts = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(starts).toEqual(['200', '200', '400']);
    expect(text.indexOf('"greeting"')).toBeGreaterThan(text.indexOf('\r\n0\r\n\r\n'));
    expect((await api({ path: '/tasks' })).text).not.toContain(title);
  });
});

describe.each(['on', 'off'])('HEAD with the fast lane %s', (lane) => {
  const plain = useServer({ FAST_LANE: lane, CONTRACT_COVERAGE: '', RESPONSE_SAMPLE: '0' });

  it.each(['/healthz', '/books/1', '/books/0', '/books', '/greet/en', '/openapi.yaml', '/nothing'])(
    'on %s gives the head of GET and nothing after it',
    async (path) => {
      const head = await raw(
        `HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\nGET /greet/en HTTP/1.1\r\n${last}`,
        '',
        plain.url,
      );
      const get = await raw(
        `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\nGET /greet/en HTTP/1.1\r\n${last}`,
        '',
        plain.url,
      );
      const [answer = '', next = ''] = head.split('\r\n\r\n');
      expect(next).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      const named = (text: string) => text.split('\r\n').map((line) => line.split(':')[0]);
      expect(named(answer)).toEqual(named(get.split('\r\n\r\n')[0] ?? ''));
    },
  );
});

describe('a body', () => {
  const task = (title: string) => {
    const body = JSON.stringify({ title });
    return `POST /tasks HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`;
  };
  const statuses = (text: string) => answersIn(text).map(({ status }) => status);

  it('may come in pieces as small as can be', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).setNoDelay(true);
    const text = task('in pieces').replace('Host', 'Connection: close\r\nHost');
    for (const character of text) {
      socket.write(character);
      await setImmediate();
    }
    const answer = await consumers.text(socket);
    expect(statuses(answer)).toEqual([201]);
    expect(answer).toContain('"title":"in pieces"');
  });

  it('may wait for its turn behind others that came in the same packet', async () => {
    const titles = Array.from({ length: 20 }, (_, i) => `in one packet ${i}`);
    const text = await raw(`${titles.map(task).join('')}GET /greet/en HTTP/1.1\r\n${last}`);
    expect(statuses(text)).toEqual([...titles.map(() => 201), 200]);
    const found = [...text.matchAll(/"title":"(in one packet \d+)"/g)].map(([, title]) => title);
    expect(found).toEqual(titles);
  });

  it('that is too long is read to its end, and the next request is answered', async () => {
    const long = `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(6);
    const head = `POST /tasks HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n`;
    const text = await raw(`${head}${long}0\r\n\r\nGET /greet/en HTTP/1.1\r\n${last}`);
    expect(statuses(text)).toEqual([413, 200]);
  });

  it('whose client goes away leaves nothing behind', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(task('never whole').slice(0, -1));
    await once(socket, 'connect');
    await api({ path: '/healthz' });
    socket.destroy();
    const { text } = await api({ path: '/tasks' });
    expect(text).not.toContain('never whole');
    expect(server.log.join('\n')).not.toContain('Internal');
  });
});

const LONG = 'x'.repeat(16 * 1024 * 1024);

/** A server whose timeouts are short, on a port of its own. */
function useImpatient(timeouts: Timeouts) {
  const answer = ({ path }: Exchange) =>
    path === '/never'
      ? new Promise<Reply>(() => {})
      : { status: 413, headers: {}, body: path === '/long' ? LONG : undefined };
  return useHttpServer(answer, { timeouts });
}

describe('a slow client', () => {
  const impatient = useImpatient({ headers: 300, request: 300, idle: 1000 });

  it('with its headers is answered 408 and let go, whether it closes or not', async () => {
    const [answer] = answersIn(
      await raw('GET /books HTTP/1.1\r\nHost: x\r\nX-Slow:', '', impatient.url),
    );
    expect(answer).toMatchObject({ status: 408, problem: { status: 408 } });
  });

  it('of a server that has no answer is told so, and they part', async () => {
    const [answer, ...others] = answersIn(
      await raw(`GET /never HTTP/1.1\r\nHost: x\r\n\r\n`, '', impatient.url),
    );
    expect(answer).toMatchObject({ status: 503, problem: { status: 503 } });
    expect(others).toEqual([]);
  });

  it('that says nothing at all is answered 408', async () => {
    const [answer] = answersIn(await raw('', '', impatient.url));
    expect(answer).toMatchObject({ status: 408, problem: { status: 408 } });
  });

  it('with its body, answered before it had arrived, is not answered twice', async () => {
    const text = await raw(
      `POST /books HTTP/1.1\r\n${json}Content-Length: 100\r\n\r\n{`,
      '',
      impatient.url,
    );
    expect(answersIn(text).map(({ status }) => status)).toEqual([413]);
  });
});

describe('a connection', () => {
  const idle = 2000;
  const server = useImpatient({ headers: 60_000, request: 60_000, idle });
  const open = () => {
    const { hostname, port } = new URL(server.url);
    return connect(Number(port), hostname);
  };
  const pause = () => sleep(idle / 4);

  it('is kept while something is said now and then, and let go when nothing is', async () => {
    const socket = open();
    const closed = once(socket, 'close');
    let answered = 0;
    socket.on('data', () => answered++);
    for (let asked = 1; asked <= 6; asked++) {
      socket.write('GET /books HTTP/1.1\r\nHost: x\r\n\r\n');
      while (answered < asked) await setImmediate();
      await pause();
    }
    expect(socket.destroyed).toBe(false);
    await closed;
    expect(answered).toBe(6);
  });

  it('is kept while its client takes the answer, however slowly', async () => {
    const socket = open();
    socket.write(`GET /long HTTP/1.1\r\n${last}`);
    let length = 0;
    let pauses = 0;
    for await (const chunk of socket) {
      length += chunk.length;
      if (length > (pauses * LONG.length) / 6) {
        pauses++;
        await pause();
      }
    }
    expect(pauses).toBeGreaterThan(4);
    expect(length).toBeGreaterThan(LONG.length);
  });
});
