import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChildPage } from '../../../src/kit/store/store.ts';
import { collection, records } from '../../../src/kit/store/table-declarations.ts';
import { recordTables } from '../../support/recorded-tables.ts';

type Kid = {
  readonly id: number;
  readonly parentId: number;
  readonly name: string;
  readonly body: string;
};
const tables = {
  parents: records<{ id: number; name: string }>({ name: 'text' }),
  kids: collection<Kid>(
    {
      parentId: { type: 'integer', references: { table: 'parents', onDelete: 'cascade' } },
      ...{ name: 'text', body: 'long text' },
    },
    { filter: ['name'], sort: ['name'] },
  ),
};
const { store, database, ran, close } = recordTables(tables);
afterAll(close);
database.exec(`INSERT INTO parents (name) VALUES ('a'), ('b'), ('c');
  INSERT INTO kids (parent_id, name, body) VALUES
    (1, 'e', 'x'), (2, 'd', 'x'), (1, 'c', 'x'), (2, 'b', 'x'), (1, 'a', 'x'), (1, 'f', 'x')`);
beforeEach(() => {
  ran.length = 0;
});

const kids = store.kids.by('parentId');
const names = async (ids: number[], page: ChildPage<Kid>) =>
  (await kids.ofParents(ids, page)).map(({ name }) => name).join('');
/** Page after page; the statements that found them: of each parent's first, in order, or plain. */
async function paged(ids: number[], page: ChildPage<Kid>): Promise<[string[], string[]]> {
  const pages: string[] = [];
  let after: Kid | undefined;
  for (;;) {
    const found: Kid[] = await kids.ofParents(ids, { ...page, after });
    pages.push(found.map(({ name }) => name).join(''));
    after = found.at(-1);
    if (found.length < page.limit) break;
  }
  return [pages, ran.flatMap(({ sql }) => kindOf(sql))];
}
function kindOf(sql: string): string[] {
  if (sql.includes('row_number')) return ['first of each'];
  if (sql.includes(') > ($2, $3)')) return ['plain'];
  // How many there are, and their texts.
  if (!sql.includes('ORDER BY')) return [];
  return [sql.includes('IN (') ? 'in order' : 'one list'];
}

const byName = { sort: [{ field: 'name' }] } as const;

describe('the children of one parent', () => {
  it.each<[string, ChildPage<Kid>, string[], string[]]>([
    ['plain', { limit: 10 }, ['ecaf'], ['plain']],
    ['plain, in pages', { limit: 3 }, ['eca', 'f'], ['plain', 'plain']],
    ['in order', { ...byName, limit: 10 }, ['acef'], ['one list']],
    ['in order, in pages', { ...byName, limit: 3 }, ['ace', 'f'], ['one list', 'one list']],
    ['the first', { limit: 10, first: 2 }, ['ec'], ['one list']],
    [
      'the first, as many as a page has',
      { limit: 2, first: 2 },
      ['ec', ''],
      ['one list', 'first of each'],
    ],
    [
      'the first, more than a page has',
      { limit: 2, first: 3 },
      ['ec', 'a'],
      ['first of each', 'first of each'],
    ],
    [
      'the first in order',
      { ...byName, limit: 3, first: 3 },
      ['ace', ''],
      ['one list', 'first of each'],
    ],
    ['none', { limit: 3, first: 0 }, [''], ['one list']],
    [
      'those that meet a condition',
      { where: { name: { gt: 'b' } }, limit: 10, first: 2 },
      ['ec'],
      ['one list'],
    ],
  ])('are read as one list where that tells them: %s', async (_, page, pages, statements) => {
    expect(await paged([1], page)).toEqual([pages, statements]);
  });

  it('start where they are told to', async () => {
    const start = store.kids.cursor({ id: 3, parentId: 1, name: 'c', body: 'x' }, byName.sort);
    expect(await names([1], { ...byName, limit: 10, start })).toBe('ef');
    expect(await names([1], { ...byName, limit: 10, start, first: 1 })).toBe('e');
    expect(await names([1], { limit: 10, start: 1 })).toBe('caf');
    expect(await names([1], { limit: 2, start: 1, first: 3 })).toBe('ca');
    expect(await names([2, 1], { ...byName, limit: 10, start })).toBe('efd');
    expect(await names([2, 1], { limit: 10, start: 3 })).toBe('afb');
    expect(await names([2, 1], { limit: 10, start: 3, first: 1 })).toBe('ab');
    await expect(
      (async () => names([1], { ...byName, limit: 1, start: 7 }))(),
    ).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });
});

describe('the children of several parents', () => {
  it.each<[string, ChildPage<Kid>, string[], string[]]>([
    ['plain', { limit: 4 }, ['ecaf', 'db'], ['plain', 'plain']],
    ['in order', { ...byName, limit: 10 }, ['acefbd'], ['in order']],
    ['in order, in pages', { ...byName, limit: 4 }, ['acef', 'bd'], ['in order', 'in order']],
    ['the first of each', { limit: 10, first: 2 }, ['ecdb'], ['first of each']],
    [
      'the first of each, in pages',
      { limit: 2, first: 2 },
      ['ec', 'db', ''],
      Array(3).fill('first of each'),
    ],
    ['the first in order', { ...byName, limit: 10, first: 1 }, ['ab'], ['first of each']],
  ])('are read parent by parent: %s', async (_, page, pages, statements) => {
    expect(await paged([3, 2, 1], page)).toEqual([pages, statements]);
  });

  it('are asked for only of the parents that are left', async () => {
    const all = await kids.ofParents([1, 2, 3], { limit: 5 });
    ran.length = 0;
    await kids.ofParents([1, 2, 3], { limit: 5, after: all[3] });
    await kids.ofParents([1, 2, 3], { limit: 5, after: all[4] });
    expect(ran.map(({ values }) => values[0])).toEqual(['[1,2,3]', '[2,3]']);
  });

  it('tell their parent', async () => {
    const all = await kids.ofParents([2, 1], { limit: 9 });
    expect(all.map(kids.parentId)).toEqual([1, 1, 1, 1, 2, 2]);
    expect([kids.field, kids.listable.name]).toEqual(['parentId', 'kids']);
    expect(all.map(kids.textLength)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(await kids.ofParents([], { limit: 9 })).toEqual([]);
    expect(await kids.ofParents([], { ...byName, limit: 9 })).toEqual([]);
    expect(() => store.kids.by('name')).toThrow('kids.name is declared without references');
  });
});
