import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLOutputType,
  GraphQLString,
  getNullableType,
  isEnumType,
} from 'graphql';
import type { Column, ColumnType } from '../store/columns.ts';
import type { JsonColumn } from '../store/json-query.ts';

const texts: readonly ColumnType[] = ['text', 'long text', 'date', 'date-time', 'uuid', 'enum'];

/** The form that graphql gives to the values of a column in a field of this type, where a statement can write it. */
export function formOf({ type }: Column, field: GraphQLOutputType): JsonColumn['as'] | undefined {
  const shown = getNullableType(field);
  const isText = texts.includes(type);
  if (isEnumType(shown)) {
    const values = shown.getValues();
    const isPlain = isText && values.every(({ name, value }) => name === value);
    return isPlain ? values.map(({ name }) => name) : undefined;
  }
  if (shown === GraphQLString) return isText ? 'text' : undefined;
  if (shown === GraphQLID) return isText || type === 'integer' ? 'id' : undefined;
  if (shown === GraphQLInt) return type === 'integer' ? 'int' : undefined;
  if (shown === GraphQLFloat) return type === 'integer' || type === 'number' ? 'number' : undefined;
  return shown === GraphQLBoolean && type === 'boolean' ? 'boolean' : undefined;
}
