// engines: postgres
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { SignJWT } from 'jose';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';
import { newDatabase } from '../../support/engine.ts';

const secret = 'a secret that only the two of us know';
const DATABASE_URL = await newDatabase();
const pool = { DATABASE_POOL: '1' };
const open = useServer({ ...pool, DATABASE_URL });
const closed = useServer({ ...pool, DATABASE_URL, AUTH_SECRET: secret });
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

describe('while all connections to the database are in use', () => {
  it('addresses take turns', async () => {
    const at = await answeredBefore(
      open.url,
      { localAddress: '127.0.0.1' },
      { localAddress: '127.0.0.2' },
    );
    expect(at).toBeLessThan(4);
  });

  it('callers with a token take turns, though they have one address', async () => {
    const [one, other] = await Promise.all([tokenOf('one'), tokenOf('other')]);
    expect(await answeredBefore(closed.url, { token: one }, { token: other })).toBeLessThan(4);
  });

  it('a token that is not good is refused without a turn', async () => {
    const { answered, release } = await crowded(closed.url, { token: await tokenOf('one') });
    const [answer] = await once(await opened(closed.url, { token: 'none' }), 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
    expect(answered).toEqual([]);
    await release();
  });
});

type Sender = { readonly localAddress?: string; readonly token?: string };

/** Sends twenty `PUT`s of the crowd, then another's while no connection is free: how many are answered before it. */
async function answeredBefore(url: string, crowd: Sender, other: Sender): Promise<number> {
  const { answered, send, release } = await crowded(url, crowd);
  await send(other);
  await read(url);
  await release();
  return answered.indexOf(other);
}

/** Twenty `PUT`s that wait for a table, which is locked until they are released. */
async function crowded(url: string, crowd: Sender) {
  const holder = new Client({ connectionString: DATABASE_URL });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE books IN ACCESS EXCLUSIVE MODE');
  const answered: Sender[] = [];
  const answers: Promise<unknown>[] = [];
  const send = async (sender: Sender) => {
    const socket = await opened(url, sender);
    answers.push(once(socket, 'data').then(() => answered.push(sender)));
  };
  for (let i = 0; i < 20; i++) await send(crowd);
  await read(url);
  const release = async () => {
    await holder.query('COMMIT');
    await Promise.all(answers);
    await holder.end();
  };
  return { answered, send, release };
}

/** Waits until the server has read what was sent before: it has answered later requests that need no turn. */
async function read(url: string): Promise<void> {
  for (let i = 0; i < 20; i++) await (await fetch(`${url}/healthz`)).text();
}

async function opened(url: string, { localAddress, token }: Sender): Promise<Socket> {
  const port = Number(new URL(url).port);
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  sockets.push(socket);
  await once(socket, 'connect');
  const body = '{"title":"Ubik","pages":202}';
  const headers = [
    'PUT /books/1 HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

function tokenOf(sub: string): Promise<string> {
  const jwt = new SignJWT({ sub, exp: Math.floor(Date.now() / 1000) + 3600 });
  return jwt.setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
}
