import type { Records } from '../kit/store/store.ts';

/** The columns of one table beside `id` and `version`, in the order of the record's fields. */
export type Columns<R = Record<string, unknown>> = {
  readonly [Field in Exclude<keyof R, 'id'>]: ColumnType<R[Field]>;
};

// Long text has thousands of characters: a list of it is measured before it is read.
type ColumnType<Value> = [Value] extends [string]
  ? 'text' | 'long text'
  : [Value] extends [number]
    ? 'integer'
    : [Value] extends [boolean]
      ? 'boolean'
      : 'text' | 'long text' | 'integer' | 'boolean';

export const tables: { readonly [Name in keyof Records]: Columns<Records[Name]> } = {
  books: { title: 'text', pages: 'integer' },
  tasks: { title: 'text', done: 'boolean' },
  notes: { title: 'text', body: 'long text' },
  items: { name: 'text', quantity: 'integer' },
};
