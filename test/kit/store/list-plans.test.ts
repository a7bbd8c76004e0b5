// engines: sqlite, postgres
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import type { AnyRecord } from '../../../src/kit/store/columns.ts';
import { positionAt } from '../../../src/kit/store/cursor.ts';
import { postgresDialect } from '../../../src/kit/store/postgres/postgres-dialect.ts';
import { askedOf } from '../../../src/kit/store/question.ts';
import { questionSql, type Statement } from '../../../src/kit/store/question-sql.ts';
import { sqliteDialect } from '../../../src/kit/store/sqlite/sqlite-dialect.ts';
import { withQuestionMarks } from '../../../src/kit/store/sqlite/sqlite-statements.ts';
import type { Question } from '../../../src/kit/store/store.ts';
import { tablesOf } from '../../../src/kit/store/table.ts';
import { collection } from '../../../src/kit/store/table-declarations.ts';
import { isMissing, needPostgres, newDatabase } from '../../support/engine.ts';
import { openTables, type TableStore } from '../../support/table-store.ts';

type Thing = {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly weight: number;
  readonly rank: number | null;
  readonly on: string | null;
  readonly done: boolean;
};
const fields = ['name', 'size', 'weight', 'rank', 'on', 'done'] as const;
const tables = {
  things: collection<Thing>(
    {
      name: 'text',
      size: 'integer',
      weight: 'number',
      rank: 'integer | null',
      on: 'date | null',
      done: 'boolean',
    },
    { filter: fields, sort: fields },
  ),
};
const table = present(tablesOf(tables)[0]);

const COUNT = 20_000;
const LIMIT = 20;
// A third of the ranks are NULL, and every record is equal to others in `size`, `done` and `on`.
const record = (i: string, mod: (a: string, b: number) => string, yes: string, no: string) =>
  `'name ' || ${mod(`${i} * 7919`, COUNT)}, ${mod(i, 100)}, ${mod(i, 977)} || '.5',
   CASE WHEN ${mod(i, 3)} = 0 THEN NULL ELSE ${i} END,
   CASE WHEN ${mod(i, 3)} = 1 THEN NULL ELSE '2026-01-0' || (1 + ${mod(i, 9)}) END,
   CASE WHEN ${mod(i, 2)} = 0 THEN ${yes} ELSE ${no} END`;
const percent = (a: string, b: number) => `(${a} % ${b})`;
const names = '"name", "size", "weight", "rank", "on", "done"';

needPostgres();
const folder = mkdtempSync(join(tmpdir(), 'accord-plans-'));
let open: TableStore<typeof tables>;
let sqlite: DatabaseSync | undefined;
let postgres: Client | undefined;
beforeAll(async () => {
  if (isMissing()) return;
  const address = await newDatabase();
  const file = join(folder, 'plans.db');
  if (!address.startsWith('sqlite:')) {
    open = await openTables(tables, { url: address });
    postgres = new Client({ connectionString: address });
    await postgres.connect();
    await postgres.query(`INSERT INTO things (${names})
      SELECT ${record('i', percent, 'true', 'false')} FROM generate_series(1, ${COUNT}) AS i`);
    await postgres.query('VACUUM ANALYZE things');
  } else {
    open = await openTables(tables, { url: `sqlite:${file}` });
    sqlite = new DatabaseSync(file);
    sqlite.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
      INSERT INTO things (${names}) SELECT ${record('i', percent, '1', '0')} FROM n`);
  }
});
afterAll(async () => {
  await open?.close();
  sqlite?.close();
  await postgres?.end();
  rmSync(folder, { recursive: true });
});

const descending = { isDescending: true };
const questions: [string, Question<Thing>][] = [
  ...fields.flatMap((field): [string, Question<Thing>][] => [
    [field, { sort: [{ field }] }],
    [`-${field}`, { sort: [{ field, ...descending }] }],
  ]),
  ['-id', { sort: [{ field: 'id', ...descending }] }],
  ['size,name', { sort: [{ field: 'size' }, { field: 'name' }] }],
  ['-size,on', { sort: [{ field: 'size', ...descending }, { field: 'on' }] }],
  [
    'size and done, by rank',
    { where: { size: { eq: 7 }, done: { eq: false } }, sort: [{ field: 'rank' }] },
  ],
  ['done, by -name', { where: { done: { eq: true } }, sort: [{ field: 'name', ...descending }] }],
  ['size, by id', { where: { size: { eq: 7 } } }],
  ['size, by weight', { where: { size: { gte: 90 } }, sort: [{ field: 'weight' }] }],
  ['size from 10 on, by size', { where: { size: { gte: 10 } }, sort: [{ field: 'size' }] }],
  [
    'size up to 90, by -size',
    { where: { size: { lt: 90 } }, sort: [{ field: 'size', ...descending }] },
  ],
  ['weight', { where: { weight: { eq: 3.5 } } }],
  ['no date, by id', { where: { on: { eq: null } } }],
];

describe.each(questions)('a page by %s', (_, question) => {
  it('is read by an index, at the end as at the start', async () => {
    const asked = askedOf(table, question as Question<AnyRecord>);
    const pages = await ends(question);
    const costs: number[] = [];
    for (const after of pages) {
      const position = after === undefined ? undefined : positionAt(table, asked, after);
      const dialect = sqlite ? sqliteDialect : postgresDialect;
      const statement = questionSql({
        ...{ dialect, table, asked, after: position },
        limit: LIMIT + 1,
        payload: 'id',
      });
      costs.push(sqlite ? searched(sqlite, statement) : await blocks(statement));
    }
    // PostgreSQL counts the blocks that it touches: those of a few index pages more or less. What is equal in
    // the first of two fields is sorted, or found by the index of the second.
    const [first = 0, ...others] = costs;
    if ((question.sort?.length ?? 0) > 1) return;
    for (const cost of others) expect(cost).toBeLessThanOrEqual(first * 1.3 + 80);
  });
});

it('of two bounds on one side the nearer one is searched for', () => {
  const asked = (where: Question<AnyRecord>['where']) =>
    askedOf(table, { where }).conditions.map(({ operator, value }) => `${operator} ${value}`);
  expect(asked({ size: { gt: 1, gte: 90, lt: 99, lte: 95 } })).toEqual(['gte 90', 'lte 95']);
  expect(asked({ size: { gt: 90, gte: 90, lt: 95, lte: 95 } })).toEqual(['gt 90', 'lt 95']);
  expect(asked({ name: { gt: '\u{ffff}', gte: '\u{10000}' } })).toEqual(['gte \u{10000}']);
  expect(asked({ size: { gte: 7, lte: 7, eq: 7 } })).toEqual(['eq 7', 'gte 7', 'lte 7']);
});

/** The cursors of the first page, of one in the middle and of the last. */
async function ends(question: Question<Thing>) {
  const all = await open.store.things.page({ ...question, limit: COUNT });
  const cursor = (i: number) => open.store.things.cursor(present(all[i]), question.sort);
  return [undefined, cursor(Math.floor(all.length / 2)), cursor(all.length - 2)];
}

/** Every access is by an index or the rowid, and no more is sorted than pages and what is equal in a field. */
function searched(database: DatabaseSync, { sql, values }: Statement): number {
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${withQuestionMarks(sql)}`)
    .all(...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)))
    .map((row) => Object(row));
  for (const { detail, parent } of plan) {
    const access = String(detail);
    if (access.startsWith('SCAN things'))
      expect(access).toMatch(/USING (COVERING )?INDEX|^SCAN things$/);
    // From a place on, an index is searched and not read from its start.
    if (sql.includes('UNION') && / things/.test(access)) expect(access).toMatch(/^SEARCH things/);
    if (!access.startsWith('USE TEMP B-TREE FOR')) continue;
    const beside = plan.filter((each) => each.parent === parent).map((each) => String(each.detail));
    expect(beside.join()).toMatch(/SCAN r\d|LAST \d|LAST TERM|\((size|name)=\?/);
  }
  return 0;
}

/** How many blocks PostgreSQL touches; no table is read as a whole, and no more is sorted than what is equal in a field. */
async function blocks({ sql, values }: Statement): Promise<number> {
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`;
  const { rows } = await present(postgres).query(explain, [...values]);
  const root = rows[0]['QUERY PLAN'][0].Plan;
  expect(JSON.stringify(root)).not.toContain('Seq Scan');
  for (const node of nodes(root)) {
    if (node['Node Type'] === 'Sort') expect(node['Actual Rows']).toBeLessThanOrEqual(COUNT / 100);
  }
  return root['Shared Hit Blocks'] + root['Shared Read Blocks'];
}

type PlanNode = { readonly [property: string]: unknown; readonly Plans?: readonly PlanNode[] };

function nodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodes)];
}
