import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import {
  failed,
  type Migration,
  nothingRecorded,
  planMigrations,
  type Recorded,
  readMigrations,
} from '../../../src/kit/store/migrations.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-migration-plans-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** The migrations of files with these texts. */
function filesOf(files: Readonly<Record<string, string | Buffer>>): Migration[] {
  const path = join(folder, String(count++));
  mkdirSync(join(path, 'sqlite'), { recursive: true });
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(path, 'sqlite', name), sql);
  return readMigrations(pathToFileURL(`${path}/`), 'sqlite');
}

const all = ['001-a', '002-b', '004-d'].map((name) => ({ name, sql: '', needs: undefined }));
const recorded = (names: string[], version = names.length, needs = {}): Recorded => ({
  ...{ names, version },
  needs: new Map(Object.entries<string>(needs)),
});
const planned = (known: readonly Migration[], found: Recorded, mayMigrate = true) => {
  const { unnamed, missing } = planMigrations(known, found, mayMigrate);
  return { unnamed, missing: missing.map(({ name }) => name) };
};

it.each<[string, string | Buffer, string]>([
  ['empty', '', 'is empty: say in a comment why there is nothing to do'],
  ['blank', ' \n\t', 'is empty: say in a comment why there is nothing to do'],
  [
    'with a byte order mark',
    '\ufeff-- x',
    'begins with a byte order mark: save it as UTF-8 without',
  ],
  ['not UTF-8', Buffer.from('-- é', 'latin1'), 'is not UTF-8'],
])('a migration that is %s is refused', (_, text, reason) => {
  expect(() => filesOf({ '001-a.sql': text })).toThrow(`the migration 001-a.sql ${reason}`);
  expect(filesOf({ '001-a.sql': '-- nothing to do' })).toHaveLength(1);
});

describe('the plan of a database', () => {
  it.each<[string, Recorded, string[], string[]]>([
    ['that is new', nothingRecorded, [], ['001-a', '002-b', '004-d']],
    ['with some', recorded(['001-a', '002-b']), [], ['004-d']],
    ['with all', recorded(['001-a', '002-b', '004-d']), [], []],
    ['with all and newer ones', recorded(['001-a', '002-b', '004-d', '005-e', '004-e']), [], []],
    ['whose version is lower than its names', recorded(['001-a', '002-b'], 1), [], ['004-d']],
    ['with a version alone', recorded([], 2), ['001-a', '002-b'], ['004-d']],
    ['with another version alone', recorded([], 1), ['001-a'], ['002-b', '004-d']],
    [
      'that contracted after one that is known',
      recorded(['001-a', '002-b', '004-d', '005-e'], 4, { '005-e': '002-b' }),
      [],
      [],
    ],
  ])('%s names and applies what it lacks', (_, found, unnamed, missing) => {
    expect(planned(all, found)).toEqual({ unnamed, missing });
  });

  it.each<[string, Recorded, string]>([
    [
      'a migration that is unknown and earlier',
      recorded(['001-a', '002-b', '003-c', '004-d']),
      'the database has 003-c, unknown to this server: use a newer server',
    ],
    [
      'one that is unknown, and lacks another',
      recorded(['001-a', '002-b', '005-e']),
      'the database has 005-e, unknown to this server: use a newer server',
    ],
    [
      'two that are unknown, and lacks two',
      recorded(['001-a', '005-e', '006-f']),
      'the database has 005-e, 006-f, unknown to this server: use a newer server',
    ],
    [
      'one that needs another that is unknown',
      recorded(['001-a', '002-b', '004-d', '005-e', '006-f'], 5, { '006-f': '005-e' }),
      'the database has 006-f, which needs a server that knows 005-e',
    ],
    [
      'not all that come before its last',
      recorded(['004-d']),
      'the database lacks 001-a, 002-b but has 004-d, which comes later: rename what is new so that it comes last',
    ],
    [
      'not one that comes before its last, whatever their order',
      recorded(['004-d', '001-a']),
      'the database lacks 002-b but has 004-d, which comes later: rename what is new so that it comes last',
    ],
    [
      'a version that is too high',
      recorded([], 4),
      'the database is at version 4, this server knows 3: use a newer server',
    ],
    [
      'a version that is higher than its names',
      recorded(['001-a', '002-b'], 3),
      'the database is at version 3, this server knows 2: use a newer server',
    ],
    [
      'a version that is higher than its name',
      recorded(['001-a'], 2),
      'the database is at version 2, this server knows 1: use a newer server',
    ],
    [
      'a version that is none of the first numbers',
      recorded([], 3),
      'the database is at version 3, and has not all of 001-a, 002-b: rename what is new so that it comes last',
    ],
  ])('is refused where it has %s', (_, found, message) => {
    expect(() => planned(all, found)).toThrow(new Error(message));
  });

  it('is refused where it lacks one and may not be migrated', () => {
    const off = (found: Recorded) => () => planned(all, found, false);
    expect(off(recorded(['001-a', '002-b', '004-d']))()).toEqual({ unnamed: [], missing: [] });
    expect(off(recorded(['001-a', '002-b']))).toThrow(
      'the database lacks 004-d and MIGRATE is off: run npm run migrate',
    );
    expect(off(nothingRecorded)).toThrow(
      'the database lacks 001-a, 002-b, 004-d and MIGRATE is off',
    );
    expect(() => planned([], recorded(['001-a']))).toThrow('the database has 001-a, unknown');
    expect(planned([], nothingRecorded)).toEqual({ unnamed: [], missing: [] });
  });
});

describe('the files of migrations', () => {
  it('are read in order of name, hidden ones left out', () => {
    const files = { '010-c.sql': 'C', '002-b.sql': 'B', '.002-b.sql.swp': '', '001-a-1.sql': 'A' };
    expect(filesOf(files)).toEqual([
      { name: '001-a-1', sql: 'A', needs: undefined },
      { name: '002-b', sql: 'B', needs: undefined },
      { name: '010-c', sql: 'C', needs: undefined },
    ]);
  });

  const contract = '-- contract after 001-a: nobody reads it';
  it.each([
    ['the first line', `${contract}\nDROP TABLE x;`, '001-a'],
    ['a later comment', `-- Gone.\n${contract}\n-- Really.\nDROP TABLE x;`, '001-a'],
    ['the only line', contract, '001-a'],
    ['a line after an empty one', `\n${contract}\nDROP TABLE x;`, undefined],
    ['a line after SQL', `DROP TABLE x;\n${contract}`, undefined],
    ['another comment', '-- A contract after 001-a: no\nDROP TABLE x;', undefined],
  ])('declare in %s what they contract after', (_, sql, needs) => {
    expect(filesOf({ '002-b.sql': sql })).toEqual([{ name: '002-b', sql, needs }]);
  });

  it.each(['001-.txt', '01-a.sql', '001-a.SQL', '001-a_b.sql', '001.sql', 'a.sql', '0001-a.sql'])(
    'are not named %s',
    (name) => {
      expect(() => filesOf({ [name]: 'A' })).toThrow(
        `the migration ${name} is not named like 001-collections.sql`,
      );
    },
  );
});

it('a failure is told with the name of its migration and its first cause', () => {
  const [migration] = all;
  if (!migration) throw new Error('there is one');
  const inner = new Error('no such table');
  for (const cause of [inner, new Error('failed', { cause: inner })]) {
    const error = failed(migration, cause);
    expect(error.message).toBe('the migration 001-a failed: no such table');
    expect(error.cause).toBe(cause);
  }
});
