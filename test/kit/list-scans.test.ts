// engines: sqlite, postgres
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, needPostgres, newDatabase } from '../support/engine.ts';
import { serveLists } from '../support/list-server.ts';

type Server = Awaited<ReturnType<typeof serveLists>>;

const COUNT = 20_000;
const names = 'name, size, weight, is_done, seen_at, kind, body';
const found = 'name[contains]=last&sort=-size&limit=1';
const scan = `/things?${found}`;
const last = [expect.objectContaining({ id: 1, name: 'last' })];

needPostgres();
const folder = mkdtempSync(join(tmpdir(), 'accord-scans-'));
let address: string;
beforeAll(async () => {
  if (isMissing()) return;
  address = await newDatabase();
  const isSqlite = address.startsWith('sqlite:');
  if (isSqlite) address = `sqlite:${join(folder, 'scans.db')}`;
  await (await serveLists({ url: address })).stop();
  const thing = (yes: string) =>
    `CASE WHEN i = 1 THEN 'last' ELSE 'name ' || i END, i, i, ${yes}, NULL, 'A', ''`;
  if (isSqlite) {
    const database = new DatabaseSync(join(folder, 'scans.db'));
    database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
      INSERT INTO things (${names}) SELECT ${thing('1')} FROM n`);
    database.close();
  } else {
    const client = await connected();
    await client.query(
      `INSERT INTO things (${names}) SELECT ${thing('true')} FROM generate_series(1, ${COUNT}) AS i`,
    );
    await client.end();
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const connected = async () => {
  const client = new Client({ connectionString: address });
  await client.connect();
  return client;
};
const get = async ({ url }: Server, path: string) => {
  const response = await fetch(`${url}${path}`);
  const body = Object(await response.json());
  return { status: response.status, headers: response.headers, body };
};
const ask = async ({ url }: Server, query: string) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return Object(await response.json());
};
const aliases = (count: number) =>
  `{ ${Array.from({ length: count }, (_, i) => `a${i}: things(where: { name: { contains: "no ${i}" } }, sort: [SIZE]) { id }`).join(' ')} }`;

describe('a list with a condition that no index serves', () => {
  it('leaves others their turns, however many are read at once', async () => {
    const server = await serveLists({ url: address });
    let isOver = false;
    const lists = Promise.all(Array.from({ length: 50 }, () => get(server, scan))).finally(() => {
      isOver = true;
    });
    let answered = 0;
    for (; !isOver; answered++) expect((await get(server, '/things?limit=1')).status).toBe(200);
    // On a machine that is busy for long some are refused.
    for (const { status, body } of await lists) if (status !== 503) expect(body).toEqual(last);
    // Of 50 lists of 14 windows each: where a turn reads a window of every list, there are 14 turns.
    if (address.startsWith('sqlite:')) expect(answered).toBeGreaterThan(200);
    await server.stop();
  });

  it('is refused when its time is over, by both protocols', async () => {
    if (!address.startsWith('sqlite:')) return;
    const server = await serveLists({ url: address, settings: { LIST_TIMEOUT: '1' } });
    const { status, headers, body } = await get(server, scan);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body.detail).toMatch(/takes too long/);
    const { errors } = await ask(server, aliases(15));
    expect(errors[0].extensions.code).toBe('UNAVAILABLE');
    // What an index finds is found, and what a client already reads is sent to its end.
    expect((await get(server, '/things?sort=-size&limit=1')).status).toBe(200);
    expect((await get(server, '/things')).body.length).toBe(COUNT);
    await server.stop();
  });

  it('leaves connections to others while the database is slow', async () => {
    if (address.startsWith('sqlite:')) return;
    const settings = { LIST_TIMEOUT: '200', DATABASE_POOL: '2' };
    const server = await serveLists({ url: address, settings });
    const client = await connected();
    await client.query('BEGIN; LOCK TABLE things IN ACCESS EXCLUSIVE MODE');
    const lists = Array.from({ length: 20 }, () => get(server, scan));
    const asked = ask(server, aliases(15));
    expect((await get(server, '/parts?limit=1')).status).toBe(200);
    const refused = await Promise.all(lists.slice(1));
    for (const { status } of refused) expect(status).toBe(503);
    expect((await get(server, '/parts?limit=1')).status).toBe(200);
    await client.query('ROLLBACK');
    await client.end();
    expect((await Promise.all(lists.slice(0, 1)))[0]?.body).toEqual(last);
    expect((await asked).errors[0].extensions.code).toBe('UNAVAILABLE');
    await server.stop();
  });
});
