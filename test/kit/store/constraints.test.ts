// engines: sqlite, postgres
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, step } from '../../../src/kit/store/database.ts';
import { connect as connectPostgres } from '../../../src/kit/store/postgres/postgres-statements.ts';
import { connect as connectSqlite } from '../../../src/kit/store/sqlite/sqlite-statements.ts';
import { serveContract } from '../../support/contract-server.ts';
import { isMissing, needPostgres, newDatabase } from '../../support/engine.ts';
import { serveGraphql } from '../../support/graphql-server.ts';

const tables = `
  CREATE TABLE parents (id integer PRIMARY KEY, age integer NOT NULL CHECK (age > 0));
  CREATE TABLE children (id integer, parent integer REFERENCES parents (id));
  CREATE TABLE wards (parent integer REFERENCES parents (id) ON DELETE RESTRICT);
  CREATE TABLE heirs (parent integer REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
  INSERT INTO parents VALUES (1, 1), (2, 1), (3, 1);
  INSERT INTO children VALUES (1, 1);
  INSERT INTO wards VALUES (2)`;
const detail = 'It refers to a record that is not there, or others refer to it.';

needPostgres();

let db: Database;
let close: () => unknown;
beforeAll(async () => {
  if (isMissing()) return;
  const url = await newDatabase();
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(':memory:');
    database.exec(tables);
    ({ db, close } = connectSqlite(database, {
      onStatement: () => {},
      onTimed: () => {},
      listTimeout: 10_000,
    }));
  } else {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(tables);
    await client.end();
    const options = {
      poolSize: 4,
      onStatement: () => {},
      isReady: () => true,
      listTimeout: 10_000,
    };
    ({ db, close } = connectPostgres(url, options));
  }
});
afterAll(() => close?.());

const write = (sql: string) => db.write(sql, () => {})();
const only = ([column]: [unknown]) => column;

describe('a write that breaks a foreign key', () => {
  it.each([
    ['names a parent that is not there', 'INSERT INTO children VALUES (2, 9)'],
    ['is changed to name one', 'UPDATE children SET parent = 9 WHERE id = 1'],
    ['deletes a record that others refer to', 'DELETE FROM parents WHERE id = 1'],
    ['deletes one whose references restrict it', 'DELETE FROM parents WHERE id = 2'],
    ['is only seen to when it is committed', 'INSERT INTO heirs VALUES (9)'],
  ])('is a conflict where it %s', async (_, sql) => {
    await expect(write(sql)).rejects.toMatchObject({ code: 'conflict', detail });
  });

  it.each(['children (parent)', 'heirs (parent)'])(
    'fails alone among writes of the same moment: %s',
    async (table) => {
      const name = table.split(' ')[0];
      const count = async () => (await db.read(`SELECT count(*) FROM ${name}`, only)())[0];
      const before = Number(await count());
      const outcomes = await Promise.allSettled(
        [3, 9, 3, 9, 3].map((parent) => db.write(`INSERT INTO ${table} VALUES ($1)`, only)(parent)),
      );
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(Number(await count())).toBe(before + 3);
    },
  );

  it('undoes the other steps of the same write', async () => {
    const add = step('INSERT INTO heirs VALUES ($1)', only);
    const count = async () => Number((await db.read('SELECT count(*) FROM heirs', only)())[0]);
    const before = await count();
    const writing = db.writeAll(function* () {
      yield* add(3);
      yield* add(9);
    });
    await expect(writing).rejects.toMatchObject({ code: 'conflict', detail });
    expect(await count()).toBe(before);
  });

  it('is 409 over HTTP, not 500', async () => {
    const server = await serveContract(contract, {
      addChild: async () => {
        await write('INSERT INTO children VALUES (3, 9)');
        return { status: 204, headers: {}, body: undefined };
      },
    });
    const response = await fetch(`${server.url}/children`, { method: 'POST' });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ type: 'urn:accord:problem:conflict', detail });
    expect(server.log.filter((line) => line.includes('failed'))).toEqual([]);
    await server.stop();
  });

  it('is CONFLICT in GraphQL, not INTERNAL_SERVER_ERROR', async () => {
    const sdl = 'type Query { x: Int } type Mutation { addChild: Int }';
    const addChild = async () => void (await write('INSERT INTO children VALUES (3, 9)'));
    const server = await serveGraphql(sdl, { Query: { x: () => 1 }, Mutation: { addChild } });
    const { json } = await server.graphql('mutation { addChild }');
    expect(json.errors[0]).toMatchObject({ message: detail, extensions: { code: 'CONFLICT' } });
    await server.stop();
  });
});

describe('another constraint', () => {
  it('of uniqueness is a conflict on a primary key too', async () => {
    await expect(write('INSERT INTO parents VALUES (1, 1)')).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  // The contract admits no such value: where the table refuses one, the server is at fault.
  it.each(['INSERT INTO parents VALUES (8, 0)', 'INSERT INTO parents VALUES (8, NULL)'])(
    'is a failure of the server: %s',
    async (sql) => {
      await expect(write(sql)).rejects.not.toHaveProperty('code', 'conflict');
      await expect(write(sql)).rejects.toThrow(/constraint/i);
    },
  );
});

const contract = `
  openapi: 3.1.0
  info: { title: Children, version: 1.0.0 }
  paths:
    /children:
      post:
        operationId: addChild
        responses:
          '204': { description: Added }
          '409': { description: Refused, content: { application/json: { schema: { type: object } } } }`;
