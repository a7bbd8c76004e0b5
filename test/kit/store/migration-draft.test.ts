import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import { draftMigration } from '../../../src/kit/store/migration-draft.ts';
import { collection, records, type Tables } from '../../../src/kit/store/table-declarations.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-drafts-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

type Files = Readonly<Record<string, string>>;

/** A folder with these migrations for each engine. */
function migrations(sqlite: Files = {}, postgres: Files = {}): URL {
  const path = join(folder, String(count++));
  for (const [engine, files] of Object.entries({ sqlite, postgres })) {
    mkdirSync(join(path, engine), { recursive: true });
    for (const [name, sql] of Object.entries(files)) writeFileSync(join(path, engine, name), sql);
  }
  return pathToFileURL(`${path}/`);
}
const draft = (tables: Tables, from = migrations(), name?: string) =>
  present(draftMigration({ tables, migrations: from }, name));

type Maker = { readonly id: number; readonly name: string };
type Thing = {
  readonly id: number;
  readonly makerId: number;
  readonly nextId: number | null;
  readonly title: string;
  readonly body: string;
  readonly weight: number | null;
  readonly isDone: boolean;
  readonly isOpen?: boolean;
  readonly tags: readonly string[];
};
const makers = collection<Maker>({ name: 'text' }, { unique: ['name'] });
const things = records<Thing>(
  {
    makerId: { type: 'integer', references: { table: 'makers', onDelete: 'cascade' } },
    nextId: { type: 'integer | null', references: { table: 'things', onDelete: 'restrict' } },
    ...{ title: 'text', body: 'long text', weight: 'number | null', isDone: 'boolean' },
    ...{ isOpen: 'boolean?', tags: 'json' },
  },
  { filter: ['title', 'body', 'weight'], sort: ['title', 'isDone'] },
);

describe('the draft of new tables', () => {
  it('has their columns, references and indexes, parents first', () => {
    const { file, sqlite, postgres } = draft({ things, makers });
    expect(file).toBe('001-things.sql');
    expect(sqlite).toBe(`CREATE TABLE "makers" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  version INTEGER NOT NULL DEFAULT 1,
  "name" TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE "things" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  "maker_id" INTEGER NOT NULL REFERENCES "makers" (id) ON DELETE CASCADE,
  "next_id" INTEGER REFERENCES "things" (id),
  "title" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "weight" TEXT,
  "is_done" INTEGER NOT NULL CHECK ("is_done" IN (0, 1)),
  "is_open" INTEGER CHECK ("is_open" IN (0, 1)),
  "tags" TEXT NOT NULL
) STRICT;
CREATE INDEX "things_by_maker_id" ON "things" ("maker_id");
CREATE INDEX "things_by_next_id" ON "things" ("next_id");
CREATE INDEX "things_by_title" ON "things" ("title");
CREATE INDEX "things_by_weight" ON "things" ((CAST("weight" AS double precision)));
CREATE INDEX "things_by_is_done" ON "things" ("is_done");
`);
    expect(postgres).toBe(`CREATE TABLE "makers" (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version bigint NOT NULL DEFAULT 1,
  "name" text COLLATE "C" NOT NULL UNIQUE
);

CREATE TABLE "things" (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "maker_id" bigint NOT NULL REFERENCES "makers" (id) ON DELETE CASCADE DEFERRABLE,
  "next_id" bigint REFERENCES "things" (id) DEFERRABLE,
  "title" text COLLATE "C" NOT NULL,
  "body" text COLLATE "C" NOT NULL,
  "weight" text COLLATE "C",
  "is_done" boolean NOT NULL,
  "is_open" boolean,
  "tags" text COLLATE "C" NOT NULL
);
CREATE INDEX "things_by_maker_id" ON "things" ("maker_id" NULLS FIRST, id);
CREATE INDEX "things_by_next_id" ON "things" ("next_id" NULLS FIRST, id);
CREATE INDEX "things_by_title" ON "things" ("title" COLLATE "C" NULLS FIRST, id);
CREATE INDEX "things_by_weight" ON "things" ((CAST("weight" AS double precision)) NULLS FIRST, id);
CREATE INDEX "things_by_is_done" ON "things" ("is_done" NULLS FIRST, id);
`);
  });

  it('is named after what is given, and else after the first of them', () => {
    const other = { '007-other.sql': '-- Nothing to do.' };
    expect(draft({ makers }).file).toBe('001-makers.sql');
    expect(draft({ makers }, migrations(), 'Add the Makers, 2!').file).toBe(
      '001-add-the-makers-2.sql',
    );
    // The number is that after the last of either engine.
    expect(draft({ makers }, migrations(other)).file).toBe('008-makers.sql');
    expect(draft({ makers }, migrations({}, other)).file).toBe('008-makers.sql');
    const tenth = { '099-other.sql': '-- Nothing to do.' };
    expect(draft({ makers }, migrations(other, tenth)).file).toBe('100-makers.sql');
    for (const name of ['', '../', 'É']) {
      expect(() => draft({ makers }, migrations(), name)).toThrow(
        '--draft takes a name of letters and digits',
      );
    }
  });

  it('is none where there is nothing to do', () => {
    const { file, sqlite, postgres } = draft({ makers });
    const done = migrations({ [file]: sqlite }, { [file]: postgres });
    expect(draftMigration({ tables: { makers }, migrations: done }, 'more')).toBeUndefined();
  });
});

describe('the draft of a change', () => {
  type Grown = Maker & {
    readonly size: number;
    readonly weight: number;
    readonly open: boolean;
    readonly day: string;
    readonly at: string;
    readonly key: string;
    readonly kind: 'a' | 'b';
    readonly note: string;
    readonly body: string;
    readonly tags: readonly string[];
    readonly rank: number | null;
    readonly parentId: number | null;
    readonly ownerId: number;
    readonly said: string;
    readonly isOld: boolean;
    readonly share: number;
    readonly since: string;
  };
  const refersTo = (table: string) => ({ table, onDelete: 'restrict' }) as const;
  const grown = collection<Grown>({
    name: 'text',
    ...{ size: 'integer', weight: 'number', open: 'boolean', day: 'date', at: 'date-time' },
    ...{ key: 'uuid', kind: 'enum', note: 'text', body: 'long text', tags: 'json' },
    rank: 'integer | null',
    parentId: { type: 'integer | null', references: refersTo('makers') },
    ownerId: { type: 'integer', references: refersTo('makers') },
    said: { type: 'text', default: "it's" },
    isOld: { type: 'boolean', default: true },
    share: { type: 'number', default: 0.5 },
    since: { type: 'date-time', default: '2026-01-01T02:00:00+02:00' },
  });
  const base = draft({ makers });
  const from = migrations({ [base.file]: base.sqlite }, { [base.file]: base.postgres });

  it('adds columns with a value for the records that are there', () => {
    const { file, sqlite, postgres } = draft({ makers: grown }, from);
    expect(file).toBe('002-makers.sql');
    const note = '-- Choose the value for records that are there.\n';
    const lines = (end: string, type: (sqlite: string, postgres: string) => string) => {
      const [text, integer] = [type('TEXT', 'text COLLATE "C"'), type('INTEGER', 'bigint')];
      const boolean = (name: string) =>
        type(`INTEGER NOT NULL CHECK ("${name}" IN (0, 1))`, 'boolean NOT NULL');
      return [
        `${note}ALTER TABLE "makers" ADD COLUMN "size" ${integer} NOT NULL DEFAULT 0;`,
        `${note}ALTER TABLE "makers" ADD COLUMN "weight" ${text} NOT NULL DEFAULT '0';`,
        `${note}ALTER TABLE "makers" ADD COLUMN "open" ${boolean('open')} DEFAULT ${type('0', 'false')};`,
        `${note}ALTER TABLE "makers" ADD COLUMN "day" ${text} NOT NULL DEFAULT '0001-01-01';`,
        `${note}ALTER TABLE "makers" ADD COLUMN "at" ${text} NOT NULL DEFAULT '0001-01-01T00:00:00';`,
        `${note}ALTER TABLE "makers" ADD COLUMN "key" ${text} NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';`,
        `${note}ALTER TABLE "makers" ADD COLUMN "kind" ${text} NOT NULL DEFAULT '';`,
        `${note}ALTER TABLE "makers" ADD COLUMN "note" ${text} NOT NULL DEFAULT '';`,
        `${note}ALTER TABLE "makers" ADD COLUMN "body" ${text} NOT NULL DEFAULT '';`,
        `${note}ALTER TABLE "makers" ADD COLUMN "tags" ${text} NOT NULL DEFAULT '[]';`,
        `ALTER TABLE "makers" ADD COLUMN "rank" ${integer};`,
        `ALTER TABLE "makers" ADD COLUMN "parent_id" ${integer} REFERENCES "makers" (id)${end};`,
        '-- To be written by hand: makers needs "owner_id".',
        `ALTER TABLE "makers" ADD COLUMN "said" ${text} NOT NULL DEFAULT 'it''s';`,
        `ALTER TABLE "makers" ADD COLUMN "is_old" ${boolean('is_old')} DEFAULT ${type('1', 'true')};`,
        `ALTER TABLE "makers" ADD COLUMN "share" ${text} NOT NULL DEFAULT '0.5';`,
        `ALTER TABLE "makers" ADD COLUMN "since" ${text} NOT NULL DEFAULT '2026-01-01T00:00:00';`,
      ];
    };
    const indexes = (keys: (name: string) => string) =>
      ['parent_id', 'owner_id'].map(
        (name) => `CREATE INDEX "makers_by_${name}" ON "makers" (${keys(name)});`,
      );
    expect(sqlite.trimEnd().split('\n\n')).toEqual([
      ...lines('', (each) => each),
      ...indexes((name) => `"${name}"`),
    ]);
    expect(postgres.trimEnd().split('\n\n')).toEqual([
      ...lines(' DEFERRABLE', (_, each) => each),
      ...indexes((name) => `"${name}" NULLS FIRST, id`),
    ]);
  });

  it('adds tables and indexes, and says what is to be written by hand', () => {
    const changed = records<{ id: number; name: number; more: string }>(
      { name: 'integer', more: 'text' },
      { unique: ['more'], sort: ['name'] },
    );
    const { sqlite } = draft({ makers: changed, others: makers }, from);
    expect(sqlite).toBe(`CREATE TABLE "others" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  version INTEGER NOT NULL DEFAULT 1,
  "name" TEXT NOT NULL UNIQUE
) STRICT;

-- To be written by hand: makers.name is TEXT, not INTEGER.

-- Choose the value for records that are there.
ALTER TABLE "makers" ADD COLUMN "more" TEXT NOT NULL DEFAULT '';

CREATE INDEX "makers_by_name" ON "makers" ("name");

CREATE UNIQUE INDEX "makers_unique_more" ON "makers" ("more");
`);
    expect(draft({ makers: changed }, from).file).toBe('002-tables.sql');
  });
});
