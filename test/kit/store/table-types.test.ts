import { describe, expect, it } from 'vitest';
import { collection, records } from '../../../src/kit/store/table-declarations.ts';

type Of<T> = { readonly id: number; readonly x: T };
type Maybe<T> = { readonly id: number; readonly x?: T };
type Given<T> = { readonly x?: T };

/** Each declaration compiles, or is expected not to: `npm run check:types` decides. */
describe('the type of a column', () => {
  it('holds its field', () => {
    const all = [
      records<Of<string>>({ x: 'date-time' }),
      records<Of<'a' | 'b'>>({ x: 'enum' }),
      records<Of<number | null>>({ x: 'number | null' }),
      records<Maybe<boolean>>({ x: 'boolean?' }),
      records<Maybe<string | null>>({ x: 'text | null' }),
      records<Maybe<string[] | null>>({ x: 'json?' }),
      records<Of<unknown>>({ x: 'json | null' }),
      records<Of<string | number>>({ x: 'json' }),
      records<Of<{ a: { b: number[] } }>>({ x: 'json' }),
      collection<Of<number>, Given<number>>({ x: { type: 'integer', default: 1 } }),
      collection<Of<number>, object>({ x: { type: 'integer', default: 1 } }),
      collection<Of<number | null>, Given<number>>({ x: 'integer | null' }),
      records<Of<number>>({
        x: { type: 'integer', references: { table: 'others', onDelete: 'cascade' } },
      }),
    ];
    expect(all.flatMap(({ unique }) => unique)).toEqual([]);
  });

  it('is refused by the compiler where it does not', () => {
    const all = [
      // @ts-expect-error A text column holds no array.
      records<Of<string[]>>({ x: 'text' }),
      // @ts-expect-error Nor does any column hold a bigint.
      records<Of<bigint>>({ x: 'integer' }),
      // @ts-expect-error Nor a Date, which is not JSON.
      records<Of<Date>>({ x: 'json' }),
      // @ts-expect-error The field may be null, the column not.
      records<Of<string | null>>({ x: 'text' }),
      // @ts-expect-error The column may be null, the field not.
      records<Of<string>>({ x: 'text | null' }),
      // @ts-expect-error The field is never null, but may be left out.
      records<Maybe<string>>({ x: 'text | null' }),
      // @ts-expect-error The field is always there.
      records<Of<string>>({ x: 'text?' }),
      // @ts-expect-error Any string is no enum.
      records<Of<string>>({ x: 'enum' }),
      // @ts-expect-error What the input may lack needs a default.
      collection<Of<number>, Given<number>>({ x: 'integer' }),
      // @ts-expect-error The default is of another type.
      collection<Of<number>, Given<number>>({ x: { type: 'integer', default: '1' } }),
      // @ts-expect-error Only integers refer to records.
      records<Of<string>>({ x: { type: 'text', references: { table: 'x', onDelete: 'cascade' } } }),
      // @ts-expect-error The record has no such field.
      records<Of<string>>({ x: 'text', y: 'text' }),
      // @ts-expect-error Arrays are not sorted by.
      records<Of<string[]>>({ x: 'json' }, { sort: ['x'] }),
      // @ts-expect-error There is no such field to filter by.
      records<Of<string>>({ x: 'text' }, { filter: ['y'] }),
    ];
    expect(all.length).toBeGreaterThan(0);
  });
});
