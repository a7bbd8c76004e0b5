import { describe, expect, it } from 'vitest';
import { askedByArguments, sortField } from '../../../src/kit/graphql/list-arguments.ts';
import { columnsOf } from '../../../src/kit/store/columns.ts';

const columns = columnsOf({
  name: 'text',
  note: 'text | null',
  size: 'integer',
  makerId: 'integer | null',
  createdAt: 'date-time',
  xDesc: 'text',
  x: 'text?',
  size2Max: 'integer',
});
const table = { name: 'things', columns, filter: columns, sort: columns };

describe('The value of a sort argument', () => {
  it.each([
    ['ID', { field: 'id', isDescending: false }],
    ['ID_DESC', { field: 'id', isDescending: true }],
    ['NAME', { field: 'name', isDescending: false }],
    ['CREATED_AT', { field: 'createdAt', isDescending: false }],
    ['CREATED_AT_DESC', { field: 'createdAt', isDescending: true }],
    ['SIZE2_MAX', { field: 'size2Max', isDescending: false }],
    // A field whose name ends like this is meant itself.
    ['X_DESC', { field: 'xDesc', isDescending: false }],
    ['X_DESC_DESC', { field: 'xDesc', isDescending: true }],
    ['X', { field: 'x', isDescending: false }],
    ['CREATEDAT', undefined],
    ['name', undefined],
    ['DESC', undefined],
    ['_DESC', undefined],
    ['NOPE_DESC', undefined],
  ])('%s', (value, expected) => {
    expect(sortField(table, value)).toEqual(expected);
  });

  it('names only what the table declares', () => {
    const few = { ...table, sort: columns.filter(({ field }) => field === 'size') };
    expect(sortField(few, 'SIZE')).toBeDefined();
    expect(sortField(few, 'ID')).toBeDefined();
    expect(sortField(few, 'NAME')).toBeUndefined();
  });
});

const nothing = { where: undefined, sort: undefined, first: undefined, after: undefined };

describe('The arguments of a list', () => {
  it.each([
    [{}, {}],
    [{ where: null, sort: null, first: null, after: null }, {}],
    [{ first: 0 }, { first: 0 }],
    [
      { first: 1, after: 'x' },
      { first: 1, after: 'x' },
    ],
    [{ after: '' }, { after: '' }],
    [{ sort: 'NAME_DESC' }, { sort: [{ field: 'name', isDescending: true }] }],
    [{ sort: [] }, { sort: [] }],
    [
      { sort: ['NAME', 'ID_DESC'] },
      {
        sort: [
          { field: 'name', isDescending: false },
          { field: 'id', isDescending: true },
        ],
      },
    ],
    [{ where: {} }, { where: {} }],
    [{ where: { name: {} } }, { where: { name: {} } }],
    [
      { where: { name: { eq: 'a', contains: 'b' }, size: { gt: 1 } } },
      { where: { name: { eq: 'a', contains: 'b' }, size: { gt: 1 } } },
    ],
    // Null is a value where a field may have none.
    [{ where: { note: { eq: null } } }, { where: { note: { eq: null } } }],
    [{ where: { x: { eq: null } } }, { where: { x: { eq: null } } }],
    // An ID is text.
    [{ where: { id: { eq: '7' } } }, { where: { id: { eq: 7 } } }],
    [{ where: { makerId: { eq: '-7' } } }, { where: { makerId: { eq: -7 } } }],
    [{ where: { makerId: { eq: null } } }, { where: { makerId: { eq: null } } }],
    [{ where: { makerId: { in: ['7', '8'] } } }, { where: { makerId: { in: [7, 8] } } }],
    [
      { where: { size: { eq: '9007199254740991' } } },
      { where: { size: { eq: 9007199254740991 } } },
    ],
    [{ where: { size: { eq: '12345678901234567' } } }, { where: { size: { eq: Number.NaN } } }],
    [{ where: { size: { eq: '1e3' } } }, { where: { size: { eq: Number.NaN } } }],
    [{ where: { size: { eq: '' } } }, { where: { size: { eq: Number.NaN } } }],
    [{ where: { name: { eq: '7' } } }, { where: { name: { eq: '7' } } }],
    [{ where: { name: { in: ['7'] } } }, { where: { name: { in: ['7'] } } }],
  ])('%j', (args, expected) => {
    expect(askedByArguments(table, args)).toEqual({ ...nothing, ...expected });
  });

  it.each([
    [{ first: -1 }, 'Argument "first" must not be negative.'],
    [{ where: { name: null } }, 'Argument "where.name" must not be null.'],
    [{ where: { name: { eq: null } } }, 'Argument "where.name.eq" must not be null.'],
    [{ where: { id: { eq: null } } }, 'Argument "where.id.eq" must not be null.'],
    [{ where: { note: { contains: null } } }, 'Argument "where.note.contains" must not be null.'],
    [{ where: { makerId: { gt: null } } }, 'Argument "where.makerId.gt" must not be null.'],
    [{ where: { x: { in: null } } }, 'Argument "where.x.in" must not be null.'],
  ])('are refused: %j', (args, message) => {
    const refused = expect.objectContaining({ message, extensions: { code: 'BAD_USER_INPUT' } });
    expect(() => askedByArguments(table, args)).toThrow(refused);
  });
});
