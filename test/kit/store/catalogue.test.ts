import { describe, expect, it } from 'vitest';
import {
  type CatalogueEntry,
  catalogueOf,
  contractions,
} from '../../../src/kit/store/catalogue.ts';

type Given = Partial<CatalogueEntry>;

const part = (kind: CatalogueEntry['kind'], name: string, given: Given): CatalogueEntry => ({
  ...{ kind, name, definition: '', table: 'moons' },
  ...given,
});
const column = (name: string, given: Given) => part('column', `moons.${name}`, given);
const unique = (columns?: string[]) =>
  part('unique index', 'moons added', columns ? { columns } : {});
const constraint = (columns?: string[]) =>
  part('constraint', 'moons added', columns ? { columns } : {});
const view = (definition: string): CatalogueEntry => ({ kind: 'view', name: 'small', definition });

const moons: CatalogueEntry = { kind: 'table', name: 'moons', definition: '' };
const name = column('name', { definition: 'text NOT NULL', without: 'refused' });
const radius = column('radius', { definition: 'integer', without: 'null' });
const size = column('size', { definition: 'integer', default: '1', without: 'default' });
const index = part('index', 'moons (name)', { columns: ['name'] });
const before = [moons, name, radius, size, index, view('SELECT 1')];
const code = column('code', { definition: 'text', without: 'null' });
const given = column('code', { definition: 'text', default: "''", without: 'default' });

const said = (after: readonly CatalogueEntry[]) =>
  contractions(catalogueOf(before), catalogueOf(after));

describe('a change of a catalogue', () => {
  it.each<[string, CatalogueEntry[]]>([
    ['nothing', []],
    ['a column that may be absent', [code]],
    ['a column with a default', [given]],
    ['an index', [part('index', 'moons (radius)', { columns: ['radius'] })]],
    ['a unique index on a new column without a value', [code, unique(['code'])]],
    ['one that has such a column', [code, unique(['name', 'code'])]],
    ['a constraint of new columns', [code, constraint(['code'])]],
    [
      'a table with a column that needs a value',
      [
        { kind: 'table', name: 'stars', definition: '' },
        { ...name, name: 'stars.name', table: 'stars' },
        { ...unique(['name']), table: 'stars' },
      ],
    ],
    ['a view', [{ kind: 'view', name: 'large', definition: '' }]],
  ])('may add %s', (_, added) => {
    expect(said([...before, ...added])).toEqual([]);
  });

  it.each<[string, CatalogueEntry[], string]>([
    [
      'a column that needs a value',
      [column('code', { without: 'refused' })],
      'adds the column moons.code, which needs a value',
    ],
    ['a unique index', [unique(['name'])], 'adds the unique index moons added'],
    ['one on a column that was null', [unique(['radius'])], 'adds the unique index moons added'],
    [
      'one on a new column that has a value',
      [given, unique(['code'])],
      'adds the unique index moons added',
    ],
    ['one on an expression', [unique()], 'adds the unique index moons added'],
    ['a constraint', [constraint(['name'])], 'adds the constraint moons added'],
    [
      'one of a new column and an old one',
      [code, constraint(['code', 'name'])],
      'adds the constraint moons added',
    ],
    ['one of no column', [constraint()], 'adds the constraint moons added'],
    ['a trigger', [part('trigger', 'guard of moons', {})], 'adds the trigger guard of moons'],
  ])('is told where it adds %s', (_, added, line) => {
    expect(said([...before, ...added])).toEqual([line]);
  });

  it.each<[string, CatalogueEntry[], string[]]>([
    ['a column', [moons, name, size, index, view('SELECT 1')], ['drops the column moons.radius']],
    ['an index', [moons, name, radius, size, view('SELECT 1')], ['drops the index moons (name)']],
    ['a table, with all that is its own', [view('SELECT 1')], ['drops the table moons']],
    ['all', [], ['drops the table moons', 'drops the view small']],
  ])('is told where it drops %s', (_, after, lines) => {
    expect(said(after)).toEqual(lines);
  });

  const withSize = (given: Given) =>
    before.map((each) => (each === size ? { ...size, ...given } : each));
  it('may add a default, and is told where it changes or drops one', () => {
    const more = before.map((each) => (each === radius ? { ...radius, default: '7' } : each));
    expect(said(more)).toEqual([]);
    expect(said(withSize({ default: '2' }))).toEqual([
      'changes the column moons.size from integer DEFAULT 1 to integer DEFAULT 2',
    ]);
    expect(said(withSize({ default: undefined }))).toEqual([
      'changes the column moons.size from integer DEFAULT 1 to integer',
    ]);
    expect(said(withSize({ definition: 'text' }))).toEqual([
      'changes the column moons.size from integer DEFAULT 1 to text DEFAULT 1',
    ]);
  });

  it('shows both definitions where they are short', () => {
    const from = view('a'.repeat(49));
    const changed = (to: string) => contractions(catalogueOf([from]), catalogueOf([view(to)]));
    const short = 'b'.repeat(50);
    expect(changed(short)).toEqual([`changes the view small from ${from.definition} to ${short}`]);
    expect(changed('b'.repeat(51))).toEqual(['changes the view small']);
    expect(changed('b'.repeat(52))).toEqual(['changes the view small']);
  });

  it('is told in one order: what is gone, what is changed, what is added', () => {
    const after = [moons, name, { ...size, definition: 'text' }, index, constraint(['name'])];
    expect(said(after)).toEqual([
      'drops the column moons.radius',
      'drops the view small',
      'changes the column moons.size from integer DEFAULT 1 to text DEFAULT 1',
      'adds the constraint moons added',
    ]);
  });
});
