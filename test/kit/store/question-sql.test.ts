import { describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import type { AnyRecord, Value } from '../../../src/kit/store/columns.ts';
import { postgresDialect } from '../../../src/kit/store/postgres/postgres-dialect.ts';
import { askedOf } from '../../../src/kit/store/question.ts';
import { questionSql, type Statement, unserved } from '../../../src/kit/store/question-sql.ts';
import { sqliteDialect } from '../../../src/kit/store/sqlite/sqlite-dialect.ts';
import type { Question } from '../../../src/kit/store/store.ts';
import { tablesOf } from '../../../src/kit/store/table.ts';
import { records } from '../../../src/kit/store/table-declarations.ts';

type Thing = {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly rank: number | null;
  readonly weight: number | null;
  readonly on: string | null;
  readonly open: boolean | null;
};
const fields = ['name', 'size', 'rank', 'weight', 'on', 'open'] as const;
const table = present(
  tablesOf({
    things: records<Thing>(
      {
        ...{ name: 'text', size: 'integer', rank: 'integer | null', weight: 'number | null' },
        ...{ on: 'date | null', open: 'boolean | null' },
      },
      { filter: fields, sort: fields },
    ),
  })[0],
);

type Where = Question<AnyRecord>['where'];
const asked = (where: object | undefined, ...names: string[]) =>
  askedOf(table, {
    // Its fields are declared as filters.
    where: where as Where,
    sort: names.map((name) => ({
      field: name.replace('-', ''),
      isDescending: name.startsWith('-'),
    })),
  });
const dialects = { sqlite: sqliteDialect, postgres: postgresDialect };

type Given = { where?: object; sort?: string[]; after?: Value[]; by?: number };
function statement(engine: keyof typeof dialects, { where, sort = [], after, by }: Given) {
  const question = asked(where, ...sort);
  return questionSql({
    ...{ dialect: dialects[engine], table, asked: question, limit: 21, payload: '0' },
    after: after && { values: after, id: 3 },
    by: by === undefined ? undefined : question.conditions[by],
  });
}

/** The text with its values. */
const shown = ({ sql, values }: Statement) =>
  sql
    .replaceAll(/CAST\(\$(\d+) AS [a-z ]+\)/g, (_, i) => JSON.stringify(values[i - 1]))
    .replaceAll(/\s+/g, ' ');
/** What each part of a statement reads, and in which order. */
const ranges = (made: Statement) =>
  [...shown(made).matchAll(/FROM "things"(?: WHERE (.*?))? ORDER BY (.*?) LIMIT 21/g)].map(
    ([, where = 'all', order]) => `${where} by ${order}`,
  );

describe('a list is read in ranges of an index', () => {
  const weight = 'CAST("weight" AS double precision)';

  it.each<[Given, string[]]>([
    [{}, ['all by id']],
    [{ sort: ['-id'] }, ['all by id DESC']],
    [{ sort: ['-id'], after: [] }, ['id < 3 by id DESC']],
    [{ after: [] }, ['id > 3 by id']],
    [{ sort: ['size'] }, ['all by "size",id']],
    [{ sort: ['-size'] }, ['all by "size" DESC,id DESC']],
    [{ sort: ['size'], after: [7] }, ['"size" = 7 AND id > 3 by id', '"size" > 7 by "size",id']],
    [
      { sort: ['-size'], after: [7] },
      ['"size" = 7 AND id < 3 by id DESC', '"size" < 7 by "size" DESC,id DESC'],
    ],
    [
      { sort: ['-rank'], after: [7] },
      [
        '"rank" = 7 AND id < 3 by id DESC',
        '"rank" < 7 by "rank" DESC,id DESC',
        '"rank" IS NULL by "rank" DESC,id DESC',
      ],
    ],
    [{ sort: ['-rank'], after: [null] }, ['"rank" IS NULL AND id < 3 by id DESC']],
    [
      { sort: ['rank'], after: [null] },
      ['"rank" IS NULL AND id > 3 by id', `"rank" >= ${-(2 ** 53) + 1} by "rank",id`],
    ],
    [
      { sort: ['weight'], after: [null] },
      [`${weight} IS NULL AND id > 3 by id`, `${weight} >= ${-Number.MAX_VALUE} by ${weight},id`],
    ],
    [{ sort: ['on'], after: [null] }, ['"on" IS NULL AND id > 3 by id', '"on" >= "" by "on",id']],
    [
      { sort: ['open'], after: [null] },
      ['"open" IS NULL AND id > 3 by id', '"open" >= false by "open",id'],
    ],
    [
      { sort: ['size', '-name', 'on'], after: [7, 'a', null] },
      [
        '"size" = 7 AND "name" = "a" AND "on" IS NULL AND id > 3 by id',
        '"size" = 7 AND "name" = "a" AND "on" >= "" by "on",id',
        '"size" = 7 AND "name" < "a" by "name" DESC,"on",id',
        '"size" > 7 by "size","name" DESC,"on",id',
      ],
    ],
  ])('of SQLite: %j', (given, expected) => {
    expect(ranges(statement('sqlite', given))).toEqual(expected);
  });

  // Its planner does not know that IS NULL leaves nothing to sort.
  it.each<[Given, string[]]>([
    [{ sort: ['-size'] }, ['all by "size" DESC NULLS LAST,id DESC']],
    [
      { sort: ['size', 'rank', 'name'], after: [7, null, 'a'] },
      [
        `"size" = 7 AND "rank" IS NULL AND "name" COLLATE "C" = "a" AND id > 3 by
          "rank" NULLS FIRST,"name" COLLATE "C" NULLS FIRST,id`,
        `"size" = 7 AND "rank" IS NULL AND "name" COLLATE "C" > "a" by
          "rank" NULLS FIRST,"name" COLLATE "C" NULLS FIRST,id`,
        `"size" = 7 AND "rank" >= ${-(2 ** 53) + 1} by
          "rank" NULLS FIRST,"name" COLLATE "C" NULLS FIRST,id`,
        `"size" > 7 by
          "size" NULLS FIRST,"rank" NULLS FIRST,"name" COLLATE "C" NULLS FIRST,id`,
      ],
    ],
  ])('of PostgreSQL: %j', (given, expected) => {
    const lines = expected.map((line) => line.replaceAll(/\s+/g, ' '));
    expect(ranges(statement('postgres', given))).toEqual(lines);
  });

  it('and several are merged in the order of the list', () => {
    const text = shown(statement('sqlite', { sort: ['size', '-name'], after: [7, 'a'] }));
    expect(text).toMatch(/ UNION ALL .* AS r2\) AS r ORDER BY "#0","#1" DESC,id DESC LIMIT 21$/);
    expect(text).toContain('SELECT id, 0 AS "#", "size" AS "#0", "name" AS "#1" FROM "things"');
    const ascending = shown(statement('sqlite', { sort: ['-size', 'name'], after: [7, 'a'] }));
    expect(ascending).toMatch(/ORDER BY "#0" DESC,"#1",id LIMIT 21$/);
    // One alone is the list.
    for (const given of [{ sort: ['size'] }, { sort: ['-id'], after: [] }]) {
      expect(shown(statement('sqlite', given))).toMatch(/^SELECT id, 0 AS "#"/);
    }
  });
});

describe('a condition', () => {
  it.each<[object, string, string]>([
    [{ size: { eq: 7 } }, '"size" = 7', '"size" = 7'],
    [{ name: { eq: 'a' } }, '"name" = "a"', '"name" COLLATE "C" = "a"'],
    [{ on: { eq: null } }, '"on" IS NULL', '"on" COLLATE "C" IS NULL'],
    [{ size: { gt: 7 } }, '+"size" > 7', '"size" > 7'],
    [{ size: { gte: 7 } }, '+"size" >= 7', '"size" >= 7'],
    [{ size: { lt: 7 } }, '+"size" < 7', '"size" < 7'],
    [{ size: { lte: 7 } }, '+"size" <= 7', '"size" <= 7'],
    [{ id: { gt: 7 } }, 'id > 7', 'id > 7'],
    [{ name: { contains: 'a' } }, 'instr("name", "a") > 0', 'strpos("name", "a") > 0'],
    [
      { size: { in: [7] } },
      '+"size" IN (SELECT value FROM json_each("[7]"))',
      '"size" IN (SELECT CAST(json_array_elements_text(CAST("[7]" AS json)) AS bigint))',
    ],
  ])('%j is written for each engine', (where, sqlite, postgres) => {
    expect(ranges(statement('sqlite', { where }))).toEqual([`${sqlite} by id`]);
    expect(ranges(statement('postgres', { where }))).toEqual([`${postgres} by id`]);
  });

  // A plus keeps SQLite from searching an index for it.
  it.each<[Given, string]>([
    [{ sort: ['size'], where: { size: { gt: 7 } } }, '"size" > 7'],
    [{ sort: ['size'], where: { size: { in: [7] } } }, '"size" IN'],
    [{ sort: ['size'], where: { rank: { eq: 7 } } }, '+"rank" = 7'],
    [{ sort: ['size'], where: { id: { gt: 7 } } }, 'id > 7'],
    [{ sort: ['size'], where: { id: { gt: 7 } }, after: [9] }, 'id > 7'],
    // All that comes after the place is beyond these bounds.
    [{ sort: ['size'], where: { size: { gt: 7 } }, after: [9] }, '+"size" > 7'],
    [{ sort: ['size'], where: { size: { gt: 7 } }, after: [7] }, '+"size" > 7'],
    [{ sort: ['size'], where: { size: { gt: 7 } }, after: [6] }, '"size" > 7'],
    [{ sort: ['size'], where: { size: { gte: 7 } }, after: [7] }, '+"size" >= 7'],
    [{ sort: ['size'], where: { size: { gte: 7 } }, after: [6] }, '"size" >= 7'],
    [{ sort: ['size'], where: { size: { lt: 7 } }, after: [9] }, '"size" < 7'],
    [{ sort: ['size'], where: { size: { lte: 7 } }, after: [7] }, '"size" <= 7'],
    [{ sort: ['-size'], where: { size: { lt: 7 } }, after: [6] }, '+"size" < 7'],
    [{ sort: ['-size'], where: { size: { lt: 7 } }, after: [7] }, '+"size" < 7'],
    [{ sort: ['-size'], where: { size: { lt: 7 } }, after: [8] }, '"size" < 7'],
    [{ sort: ['-size'], where: { size: { lte: 7 } }, after: [7] }, '+"size" <= 7'],
    [{ sort: ['-size'], where: { size: { lte: 7 } }, after: [8] }, '"size" <= 7'],
    [{ sort: ['-size'], where: { size: { gt: 7 } }, after: [6] }, '"size" > 7'],
    [{ sort: ['-size'], where: { size: { gte: 7 } }, after: [7] }, '"size" >= 7'],
    [{ sort: ['rank'], where: { rank: { gt: 7 } }, after: [null] }, '"rank" > 7'],
    [{ sort: ['rank'], where: { rank: { gt: -7 } }, after: [null] }, '"rank" > -7'],
    [{ sort: ['-rank'], where: { rank: { lt: 7 } }, after: [null] }, '"rank" < 7'],
    [{ sort: ['rank'], where: { rank: { eq: null } }, after: [7] }, '"rank" IS NULL'],
    [{ sort: ['size'], where: { size: { eq: 7 } }, after: [9] }, '"size" = 7'],
    // By the index of one condition neither the others nor the order are searched for.
    [{ sort: ['size'], where: { rank: { gt: 7 } }, by: 0 }, '"rank" > 7'],
    [{ sort: ['size'], where: { size: { gt: 7 }, rank: { gt: 7 } }, by: 1 }, '+"size" > 7'],
  ])('%j is searched for as %s', (given, expected) => {
    for (const range of ranges(statement('sqlite', given))) {
      expect(range.startsWith(expected), range).toBe(true);
    }
  });

  it('whose index is used leaves the order to be sorted', () => {
    const where = { rank: { eq: 7 } };
    expect(ranges(statement('sqlite', { sort: ['size'], where, by: 0 }))).toEqual([
      '"rank" = 7 by +"size",+id',
    ]);
    expect(ranges(statement('sqlite', { sort: ['-size'], where, by: 0, after: [5] }))).toEqual([
      '"rank" = 7 AND +"size" = 5 AND +id < 3 by +id DESC',
      '"rank" = 7 AND +"size" < 5 by +"size" DESC,+id DESC',
    ]);
  });

  it.each<[object, string[], string[]]>([
    [{ size: { eq: 7 } }, [], []],
    [{ size: { gt: 7 } }, [], ['size gt']],
    [{ name: { contains: 'a' } }, [], ['name contains']],
    [{ size: { eq: 7 }, rank: { eq: 7 } }, [], ['rank eq']],
    [{ size: { eq: 7 }, id: { gt: 7 } }, [], []],
    [{ id: { gt: 7, lt: 9 } }, [], []],
    [{ size: { gt: 7, lt: 9 } }, ['size'], []],
    [{ size: { in: [7] }, id: { gt: 1 } }, ['-size'], []],
    [{ size: { eq: 7 }, rank: { eq: 7 } }, ['size', 'rank'], ['rank eq']],
    [{ size: { eq: 7 } }, ['rank'], ['size eq']],
    [{ name: { contains: 'a', gt: 'a' } }, ['name'], ['name contains']],
  ])('%j in order of %j is served by the index of the order, except %j', (where, sort, others) => {
    const tests = unserved(asked(where, ...sort));
    expect(tests.map(({ column, operator }) => `${column.field} ${operator}`)).toEqual(others);
  });
});
