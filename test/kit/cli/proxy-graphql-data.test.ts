// engines: sqlite
import { describe, expect, it } from 'vitest';
import { asked, check } from '../../support/graphql-asked.ts';

/** What is wrong with the data that a document was answered with. */
function faults(query: string, data: unknown, variables: object = {}): string[] {
  const { asked: valid, lines } = asked({ body: { query, variables } });
  expect(lines).toEqual([]);
  const body = Buffer.from(JSON.stringify({ data }));
  const headers = { 'content-type': 'application/json' };
  return check
    .answer(valid, { status: 200, headers, body })
    .map(({ place, message }) => `${place} ${message}`);
}

describe('the data of an answer', () => {
  it.each<[string, unknown, string[]]>([
    ['{ count }', { count: 1 }, []],
    ['{ count }', { count: null }, []],
    ['{ count }', { count: 1.5 }, ['Query.count must be Int']],
    ['{ count }', { count: -(2 ** 31) }, []],
    ['{ count }', { count: -(2 ** 31) - 1 }, ['Query.count must be Int']],
    ['{ count }', { count: 2 ** 31 - 1 }, []],
    ['{ count }', { count: 2 ** 31 }, ['Query.count must be Int']],
    ['{ count }', { count: '1' }, ['Query.count must be Int']],
    ['{ ratio }', { ratio: 1.5 }, []],
    ['{ ratio }', { ratio: '1.5' }, ['Query.ratio must be Float']],
    ['{ open }', { open: false }, []],
    ['{ open }', { open: 0 }, ['Query.open must be Boolean']],
    ['{ text }', { text: '' }, []],
    ['{ text }', { text: 1 }, ['Query.text must be String']],
    ['{ id }', { id: 'a' }, []],
    ['{ id }', { id: 1 }, ['Query.id must be ID']],
    ['{ day }', { day: { any: 1 } }, []],
    ['{ kind }', { kind: 'SEA' }, []],
    ['{ kind }', { kind: 'LAKE' }, ['Query.kind must be Kind']],
    ['{ count }', 7, ['data must be an object']],
    ['{ count }', [], ['data must be an object']],
    ['{ count }', {}, ['Query.count is missing']],
    ['{ a: count }', { a: 1 }, []],
    ['{ a: count }', { count: 1 }, ['Query.count is not selected', 'Query.count is missing']],
    ['{ __typename }', { __typename: 'Query' }, []],
    ['{ ships { name } }', { ships: [[{ name: 'a' }], null] }, []],
    ['{ ships { name } }', { ships: {} }, ['Query.ships must be a list']],
    ['{ ships { name } }', { ships: [[null, null]] }, ['Query.ships must not be null']],
    ['{ ships { name } }', { ships: [[{ name: 1 }, { name: 2 }]] }, ['Ship.name must be String']],
    ['{ ship(id: 1) { name } }', { ship: { name: null } }, ['Ship.name must not be null']],
    ['{ ship(id: 1) { name } }', { ship: 'a' }, ['Query.ship must be an object']],
    ['{ ship(id: 1) { name } ship(id: 1) { size } }', { ship: { name: 'a', size: 1 } }, []],
    ['{ ship(id: 1) { ...F } } fragment F on Ship { size }', { ship: { size: 1 } }, []],
    ['{ ship(id: 1) { ... { size } } }', { ship: { size: 1 } }, []],
    ['{ ship(id: 1) { ... on Named { name } } }', { ship: { name: 'a' } }, []],
    ['{ thing { ... on Ship { size } } }', { thing: { any: 1 } }, []],
    [
      '{ thing { __typename ... on Ship { size } } }',
      { thing: { __typename: 'Ship', size: 1 } },
      [],
    ],
    [
      '{ thing { kind: __typename ... on Ship { size } ... on Port { name } } }',
      { thing: { kind: 'Port', name: 'a' } },
      [],
    ],
    [
      '{ thing { __typename ... on Ship { size } } }',
      { thing: { __typename: 'Port', size: 1 } },
      ['Port.size is not selected'],
    ],
    [
      '{ thing { __typename } }',
      { thing: { __typename: 'Query' } },
      ['Query.thing must be Thing, not Query'],
    ],
    [
      '{ thing { __typename } }',
      { thing: { __typename: 'None' } },
      ['Query.thing must be Thing, not None'],
    ],
    ['{ thing { __typename } }', { thing: 7 }, []],
    [
      '{ named { __typename name } }',
      { named: { __typename: 'Port', name: 1 } },
      ['Port.name must be String'],
    ],
    ['{ count @skip(if: true) open }', { open: true }, []],
    ['{ count @skip(if: false) }', {}, ['Query.count is missing']],
    ['{ count @include(if: false) open }', { open: true }, []],
    ['{ count @include(if: true) }', {}, ['Query.count is missing']],
    [
      '{ count @include(if: true) @skip(if: true) open }',
      { open: true, count: 1 },
      ['Query.count is not selected'],
    ],
    [
      'mutation { make(in: { name: "a" }) { name } }',
      { make: { name: 1 } },
      ['Ship.name must be String'],
    ],
  ])('of %s: %j', (query, data, lines) => {
    expect(faults(query, data)).toEqual(lines);
  });

  it('depends on the variables', () => {
    const query =
      'query ($a: Boolean!, $b: Boolean = true) { count @skip(if: $a) open @include(if: $b) }';
    expect(faults(query, { open: true }, { a: true })).toEqual([]);
    expect(faults(query, { count: 1 }, { a: false, b: false })).toEqual([]);
    expect(faults(query, { open: true }, { a: true, b: false })).toEqual([
      'Query.open is not selected',
    ]);
  });
});
