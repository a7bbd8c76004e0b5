import { type Store, tables } from '../../src/api/tables.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { parentsFirst, tablesOf } from '../../src/kit/store/table.ts';
import type { CollectionTable, RecordOf } from '../../src/kit/store/table-declarations.ts';
import { derivedSample } from './derived-sample.ts';

/** The record of each collection. */
type Records = {
  [Name in keyof typeof tables as (typeof tables)[Name] extends CollectionTable
    ? Name
    : never]: RecordOf<(typeof tables)[Name]>;
};

type Sample<Name extends keyof Records> = {
  /** A valid input and another. */
  readonly input: Omit<Records[Name], 'id'>;
  readonly other: Omit<Records[Name], 'id'>;
  /** Inputs at the very edge of the bounds, admitted. */
  readonly edges: readonly Omit<Records[Name], 'id'>[];
  /** Inputs that the contract refuses, each with the place at fault. */
  readonly refused: readonly (readonly [path: string, input: unknown])[];
  /** The field that holds text. */
  readonly text: string;
};

const title = (length: number) => '😀'.repeat(length);

const contract = await readContract(new URL('../../openapi.yaml', import.meta.url));

/** Samples with edges that the contract does not show by itself. */
const own: { readonly [Name in keyof Records]?: Sample<Name> } = {
  books: {
    input: { title: 'Ubik', pages: 202 },
    other: { title: 'Solaris', pages: 204 },
    edges: [
      { title: 'x', pages: 1 },
      { title: title(200), pages: 1_000_000 },
    ],
    refused: [
      ['/body/title', { pages: 1 }],
      ['/body/pages', { title: 'x' }],
      ['/body/title', { title: '', pages: 1 }],
      ['/body/title', { title: title(201), pages: 1 }],
      ['/body/title', { title: 7, pages: 1 }],
      ['/body/pages', { title: 'x', pages: 0 }],
      ['/body/pages', { title: 'x', pages: 1_000_001 }],
      ['/body/pages', { title: 'x', pages: '1' }],
      ['/body/pages', { title: 'x', pages: 1.5 }],
      ['/body/pages', { title: 'x', pages: null }],
    ],
    text: 'title',
  },
  tasks: {
    input: { title: 'Sweep', done: false },
    other: { title: 'Mop', done: true },
    edges: [{ title: title(200), done: true }],
    refused: [
      ['/body/title', { done: true }],
      ['/body/title', { title: title(201) }],
      ['/body/done', { title: 'x', done: 'true' }],
      ['/body/done', { title: 'x', done: 1 }],
      ['/body/done', { title: 'x', done: null }],
    ],
    text: 'title',
  },
  notes: {
    input: { title: 'Shopping', body: 'bread' },
    other: { title: 'Shopping', body: '' },
    edges: [{ title: title(200), body: title(10_000) }],
    refused: [
      ['/body/body', { title: 'x' }],
      ['/body/title', { body: 'x' }],
      ['/body/body', { title: 'x', body: title(10_001) }],
      ['/body/body', { title: 'x', body: ['x'] }],
    ],
    text: 'body',
  },
  items: {
    input: { name: 'Nail', quantity: 1000 },
    other: { name: 'Screw', quantity: 0 },
    edges: [{ name: title(200), quantity: 1_000_000_000 }],
    refused: [
      ['/body/name', { quantity: 1 }],
      ['/body/quantity', { name: 'x' }],
      ['/body/quantity', { name: 'x', quantity: -1 }],
      ['/body/quantity', { name: 'x', quantity: 1_000_000_001 }],
      ['/body/name', { name: title(201), quantity: 1 }],
    ],
    text: 'name',
  },
};

const declared = tablesOf(tables);

// The tables of this kind are the keys of Records.
export const collections = declared
  .filter(({ kind }) => kind === 'collection')
  .map(({ name }) => name) as (keyof Records)[];

/** One sample for each collection: by hand, or made of what the contract shows, which has the types of its records. */
export const samples = Object.fromEntries(
  collections.map((name) => [name, own[name] ?? derivedSample(contract, `/${name}`)]),
) as unknown as { readonly [Name in keyof Records]: Sample<Name> };

/** The fields of a collection that hold the ids of records. */
export function referencesOf(name: string): string[] {
  const relations = declared.find((table) => table.name === name)?.relations ?? [];
  return relations.map(({ column }) => column.field);
}

/** The ids of the parents that `seedParents` makes. */
export const PARENTS = [1, 2, 3];

/** Fills a new database with the records that samples of these collections refer to. */
export async function seedParents(store: Store, names: readonly string[]): Promise<void> {
  const wanted = new Set(names);
  // A set yields what is added to it meanwhile.
  for (const name of wanted) {
    const relations = declared.find((table) => table.name === name)?.relations ?? [];
    for (const { parent } of relations) wanted.add(parent);
  }
  const parents = parentsFirst(declared).filter(
    ({ name, referring }) =>
      wanted.has(name) && referring.some(({ child }) => child !== name && wanted.has(child)),
  );
  for (const { name } of parents) {
    const made = collections.find((each) => each === name);
    if (!made) throw new Error(`${name} is no collection: there is no sample of it`);
    const create: (fields: never) => Promise<unknown> = store[made].create;
    // The sample of a collection is of its own type.
    for (const _ of PARENTS) await create(samples[made].input as never);
  }
}
