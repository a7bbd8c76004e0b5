import { connect, type Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, type Fault, megabytes } from '../support/check-report.ts';
import { createConnection, startBystander } from '../support/http-connection.ts';
import { residentBytes } from '../support/process-usage.ts';
import { sendRaw, statusesIn } from '../support/raw-http.ts';
import { withInstance } from '../support/server-instance.ts';

const BOOKS = 20_000;
const LONGEST_WAIT = 500;
const TRIES = 3;
const MOST_MEMORY = 300_000_000;
const HEAP = '--max-old-space-size=256';

/** What an anonymous client does; resolves to whether it was answered as it must be. */
type Attack = (url: string, isShort: boolean) => Promise<boolean>;

const attacks: Readonly<Record<string, Attack>> = {
  'tunnels and upgrades that are reset': resetTunnels,
  'entity tags with 490 gaps': gappedTags,
  '1,000 bodies that do not arrive': unsentBodies,
  '250 lists that nobody reads': unreadLists,
  '100 lists of all books at once': listsAtOnce,
  '100 GraphQL lists that are refused at once': refusedAtOnce,
  '60 GraphQL answers of 4 MB that nobody reads': unreadAnswers,
  '10 connections that send 2,000 requests in one packet': pipelined,
  'distinct GraphQL operations over shared fragments': distinctOperations,
  '15 aliases of 20,000 books': aliasedLists,
  'a tunnel behind a write in one packet': tunnelBehindWrite,
};

export const denial: Fault = {
  promise: 'An anonymous client cannot end the server or keep it from others',
  how: `${Object.keys(attacks).length} attacks on a heap of 256 MB with ${BOOKS} books, while another reads: ${Object.keys(attacks).join('; ')}`,

  run: ({ check, timing }, isShort) =>
    withInstance(
      async (instance, file) => {
        const { url, pid, isAlive } = instance;
        fill(file);
        let worst = 0;
        for (const [name, attack] of Object.entries(attacks)) {
          const before = residentBytes(pid);
          let wait = Number.POSITIVE_INFINITY;
          // Others' work on the same machine makes a bystander wait too, but not three times in a row.
          for (let i = 0; i < TRIES && wait > LONGEST_WAIT; i++) {
            const stops = [startBystander(url), startBystander(url, { reconnects: true })];
            const isRight = await attack(url, isShort);
            if (!isAlive()) throw new Error(`${name} ended the server`);
            check(isRight, `${name}: answered as they must be`);
            wait = 0;
            for (const { longest, other, answered } of await Promise.all(
              stops.map((each) => each()),
            )) {
              wait = Math.max(wait, longest);
              check(other.size === 0, `  bystander: 200: ${answered} ${counted(other)}`);
            }
          }
          worst = Math.max(worst, wait);
          const grown = residentBytes(pid) - before;
          timing(wait <= LONGEST_WAIT, `  bystander waited ${wait.toFixed(0)} ms at most`);
          check(grown < MOST_MEMORY, `  memory: ${megabytes(grown)} more`);
        }
        return `${Object.keys(attacks).length} attacks: the server lives, a bystander waited ${worst.toFixed(0)} ms at most`;
      },
      {},
      [HEAP],
    ),
};

function fill(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec(`INSERT INTO books (title, pages)
    WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ${BOOKS})
    SELECT 'Book ' || n, n FROM counter`);
  database.exec(`INSERT INTO users (name, email) VALUES ('x', 'x@example.com');
    INSERT INTO posts (user_id, title, body)
    WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 400)
    SELECT 1, n, printf('%.*c', 10000, 'x') FROM counter`);
  database.close();
}

async function resetTunnels(url: string): Promise<boolean> {
  const heads = [
    'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /books/1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ];
  for (const head of heads) {
    for (const pause of [0, 20, 200]) {
      const socket = await open(url);
      socket.write(head);
      await sleep(pause);
      socket.resetAndDestroy();
    }
  }
  await sleep(200);
  return true;
}

async function gappedTags(url: string): Promise<boolean> {
  const tags = `"a"${', '.repeat(490)}!`.slice(0, 1000);
  const statuses: number[] = [];
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const name = method === 'GET' ? 'If-None-Match' : 'If-Match';
    const text = await sendRaw(
      url,
      `${method} /books/1 HTTP/1.1\r\nHost: x\r\n${name}: ${tags}\r\nConnection: close\r\n\r\n`,
    );
    statuses.push(...statusesIn(text));
  }
  return statuses.length === 3 && statuses.every((status) => status === 400);
}

async function unsentBodies(url: string): Promise<boolean> {
  const head = 'POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const sockets = await Promise.all(Array.from({ length: 1000 }, () => open(url)));
  for (const socket of sockets) socket.write(`${head}Content-Length: 100\r\n\r\n{`);
  // Others write meanwhile.
  const writer = createConnection(url);
  let isRight = true;
  for (let i = 0; i < 60; i++) {
    const { status } = await writer.send('POST', '/tasks', '{"title":"meanwhile"}');
    isRight &&= status === 201;
    await sleep(50);
  }
  writer.close();
  for (const socket of sockets) socket.destroy();
  await sleep(200);
  return isRight;
}

async function unreadLists(url: string): Promise<boolean> {
  const sockets = await Promise.all(Array.from({ length: 250 }, () => open(url)));
  for (const socket of sockets) {
    socket.pause();
    socket.write('GET /books HTTP/1.1\r\nHost: x\r\n\r\n');
  }
  await sleep(5000);
  for (const socket of sockets) socket.destroy();
  await sleep(500);
  return true;
}

async function listsAtOnce(url: string): Promise<boolean> {
  const lists = Array.from({ length: 100 }, async () => {
    const client = createConnection(url);
    const { status } = await client.send('GET', '/books');
    client.close();
    return status === 200;
  });
  return (await Promise.all(lists)).every(Boolean);
}

async function refusedAtOnce(url: string): Promise<boolean> {
  const body = JSON.stringify({ query: '{ a: books { id title } b: books { id title } }' });
  const answers = Array.from({ length: 100 }, async () => {
    const client = createConnection(url);
    const { status } = await client.send('POST', '/graphql', body);
    client.close();
    return status === 200;
  });
  return (await Promise.all(answers)).every(Boolean);
}

async function unreadAnswers(url: string): Promise<boolean> {
  const body = JSON.stringify({ query: '{ users { posts { body } } }' });
  const sockets = await Promise.all(Array.from({ length: 60 }, () => open(url)));
  for (const socket of sockets) {
    socket.pause();
    socket.write(
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  }
  await sleep(4000);
  for (const socket of sockets) socket.destroy();
  await sleep(500);
  return true;
}

async function pipelined(url: string): Promise<boolean> {
  const sockets = await Promise.all(Array.from({ length: 10 }, () => open(url)));
  for (const socket of sockets) {
    socket.resume();
    socket.write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000));
  }
  await sleep(3000);
  for (const socket of sockets) socket.destroy();
  await sleep(200);
  return true;
}

/** Each operation is asked often enough to be compiled, if anything were. */
async function distinctOperations(url: string, isShort: boolean): Promise<boolean> {
  const client = createConnection(url);
  let isRight = true;
  for (let i = 0; i < (isShort ? 8 : 40); i++) {
    const operations = Array.from({ length: 110 }, (_, k) => `query Q${k} { users { ...F } }`);
    const fragment = `fragment F on User { id name a${i}: name posts { id title body comments { body } } }`;
    const query = [...operations, fragment].join(' ');
    for (let k = 0; k < 110; k++) {
      const body = JSON.stringify({ query, operationName: `Q${k}` });
      for (let times = 0; times < 12; times++) {
        const { status } = await client.send('POST', '/graphql', body);
        isRight &&= status === 200;
      }
    }
  }
  client.close();
  return isRight;
}

/** Answered whole, or refused by a limit: either is right, as long as nobody waits for it. */
async function aliasedLists(url: string): Promise<boolean> {
  const aliases = Array.from({ length: 15 }, (_, i) => `a${i}: books { id title pages }`);
  const client = createConnection(url);
  const body = JSON.stringify({ query: `{ ${aliases.join(' ')} }` });
  let isRight = true;
  for (let i = 0; i < 12; i++) {
    const { status } = await client.send('POST', '/graphql', body);
    isRight &&= status === 200;
  }
  client.close();
  return isRight;
}

async function tunnelBehindWrite(url: string): Promise<boolean> {
  const body = '{"title":"before a tunnel"}';
  const text = await sendRaw(
    url,
    'POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  return statusesIn(text).join() === '201,400';
}

function open(url: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(socket));
    socket.on('error', () => {});
  });
}
