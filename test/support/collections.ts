import type { tables } from '../../src/api/tables.ts';
import type { CollectionTable, RecordOf } from '../../src/kit/store/table-declarations.ts';

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

/** One sample record for each collection: all that a new one needs to be tested like the others. */
export const samples: { readonly [Name in keyof Records]: Sample<Name> } = {
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

export const collections = Object.keys(samples) as (keyof Records)[];
