import { expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import { filterFault, sortFault } from '../../../src/kit/store/listable.ts';
import { tablesOf } from '../../../src/kit/store/table.ts';
import { records } from '../../../src/kit/store/table-declarations.ts';

type Thing = {
  readonly id: number;
  readonly name: string;
  readonly body: string;
  readonly size: number;
  readonly day: string;
  readonly key: string;
};
const table = present(
  tablesOf({
    things: records<Thing>(
      { name: 'text', body: 'long text', size: 'integer', day: 'date', key: 'uuid' },
      { filter: ['name', 'body', 'size', 'day', 'key'], sort: ['size', 'name'] },
    ),
  })[0],
);

it.each(['eq', 'in', 'gt', 'gte', 'lt', 'lte'])(
  'every filter can be compared by %s',
  (operator) => {
    for (const field of ['id', 'name', 'body', 'size', 'day', 'key']) {
      expect(filterFault(table, field, operator)).toBeUndefined();
    }
  },
);

it('contains is a comparison of text alone', () => {
  for (const field of ['name', 'body'])
    expect(filterFault(table, field, 'contains')).toBeUndefined();
  for (const [field, type] of [
    ['id', 'integer'],
    ['size', 'integer'],
    ['day', 'date'],
    ['key', 'uuid'],
  ] as const) {
    expect(filterFault(table, field, 'contains')).toBe(
      `needs text in things.${field}, which is ${type}`,
    );
  }
});

it.each(['', 'ne', 'equals', 'EQ', 'toString'])('%j is no comparison', (operator) => {
  expect(filterFault(table, 'size', operator)).toBe(
    `needs the comparison ${operator}, which there is not`,
  );
});

it('a field that is not declared is neither a filter nor an order', () => {
  expect(filterFault(table, 'colour', 'eq')).toBe(
    'needs the filter colour, which the table things does not declare',
  );
  for (const field of ['id', 'size', 'name']) expect(sortFault(table, field)).toBeUndefined();
  for (const field of ['body', 'colour']) {
    expect(sortFault(table, field)).toBe(
      `needs the sort field ${field}, which the table things does not declare`,
    );
  }
});
