import type { ColumnText, ColumnType, Reference } from './columns.ts';

/** The columns of a table beside `id`, in the order of the record's fields. */
export type Columns<R, Input> = {
  readonly [Field in Exclude<keyof R, 'id'>]-?: ColumnFor<R, Input, Field>;
};

type ColumnFor<R, Input, Field extends keyof R> = Declared<
  Spelled<R, Field>,
  Exclude<R[Field], undefined>,
  IsGiven<Input, Field>
>;

// A field that the input may lack but the record has needs a default.
type Declared<Text extends ColumnText, Held, Given> = Given extends true
  ? Text | Detailed<Text, Held>
  : Text extends ColumnType
    ? Detailed<Text, Held> & { readonly default: Held }
    : Text | Detailed<Text, Held>;

type Detailed<Text extends ColumnText, Held> = {
  readonly type: Text;
  readonly default?: Held;
  readonly references?: Text extends 'integer' | 'integer | null' | 'integer?' ? Reference : never;
};

type IsGiven<Input, Field> = Field extends keyof Input
  ? IsOptional<Input, Field> extends true
    ? false
    : true
  : false;

type IsOptional<R, Field extends keyof R> =
  Partial<Pick<R, Field>> extends Pick<R, Field> ? true : false;

// Only JSON text tells null from absent; a column of another type shows both as null.
type Spelled<R, Field extends keyof R> =
  TypeOf<Exclude<R[Field], null | undefined>> extends infer Type extends ColumnType
    ? null extends R[Field]
      ? [Type, IsOptional<R, Field>] extends ['json', true]
        ? 'json?'
        : `${Type} | null`
      : IsOptional<R, Field> extends true
        ? `${Type}?`
        : Type
    : never;

/** The types of column that hold a type; never where there is none. */
type TypeOf<Held> = [Held] extends [string]
  ? string extends Held
    ? 'text' | 'long text' | 'date' | 'date-time' | 'uuid'
    : 'text' | 'enum'
  : [Held] extends [number]
    ? 'integer' | 'number'
    : [Held] extends [boolean]
      ? 'boolean'
      : [Extract<Held, NotJson>] extends [never]
        ? 'json'
        : never;

type NotJson = bigint | symbol | Date | ((...given: never) => unknown);
