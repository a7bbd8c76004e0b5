import { buildSchema, type GraphQLEnumType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import { formOf } from '../../../src/kit/graphql/statement-forms.ts';
import { type ColumnType, columnsOf } from '../../../src/kit/store/columns.ts';

const schema = buildSchema(`
  enum Mark { A B }
  scalar Own
  type Thing { id: ID }
  type Query {
    String: String ID: ID! Int: Int! Float: Float Boolean: Boolean! Mark: Mark
    Own: Own Thing: Thing list: [String!]!
  }`);
const fields = present(schema.getQueryType() ?? undefined).getFields();

function form(type: ColumnType, field: string) {
  const [column] = columnsOf({ it: type });
  return formOf(present(column), present(fields[field]).type);
}

/** The forms of the types of columns in fields of each type; there is none for all others. */
const forms: Readonly<Record<string, Partial<Record<ColumnType, unknown>>>> = {
  String: {
    text: 'text',
    'long text': 'text',
    date: 'text',
    'date-time': 'text',
    uuid: 'text',
    enum: 'text',
  },
  ID: {
    text: 'id',
    'long text': 'id',
    date: 'id',
    'date-time': 'id',
    uuid: 'id',
    enum: 'id',
    integer: 'id',
  },
  Int: { integer: 'int' },
  Float: { integer: 'number', number: 'number' },
  Boolean: { boolean: 'boolean' },
  Mark: {
    ...{ text: ['A', 'B'], 'long text': ['A', 'B'], date: ['A', 'B'] },
    ...{ 'date-time': ['A', 'B'], uuid: ['A', 'B'], enum: ['A', 'B'] },
  },
  Own: {},
  Thing: {},
  list: {},
};
const types = [
  ...(['text', 'long text', 'integer', 'number', 'boolean', 'date'] as const),
  ...(['date-time', 'uuid', 'enum', 'json'] as const),
];

describe.each(Object.entries(forms))('A field of type %s', (field, expected) => {
  it.each(types)('shows a column of type %s as graphql does, or not at all', (type) => {
    expect(form(type, field)).toEqual(expected[type]);
  });
});

it('A field of an enum with values of its own has no form', () => {
  const mark = schema.getType('Mark') as GraphQLEnumType;
  const [value] = mark.getValues();
  Object.assign(present(value), { value: 'a' });
  expect(form('text', 'Mark')).toBeUndefined();
});
