// engines: sqlite, postgres
import { describe, expect, it } from 'vitest';
import type { JsonColumn, JsonMember } from '../../../src/kit/store/json-query.ts';
import {
  column,
  id,
  large,
  list,
  maker,
  name,
  record,
  useJson,
} from '../../support/json-tables.ts';

const { json, read } = useJson();

const things = async (member: JsonMember) =>
  Object(await read([list('things', 0, [member])], [{}])).things;
const thing = async (id: number, member: JsonMember) =>
  Object(await read([record('things', [member])], [{ id }])).it?.[member.key];

describe('a statement that makes JSON', () => {
  it.each<[string, JsonColumn['as'], unknown[]]>([
    ['id', 'id', ['1', '2', '3']],
    ['id', 'int', [1, 2, 3]],
    ['id', 'number', [1, 2, 3]],
    ['name', 'text', ['é"', '', 'z']],
    ['name', 'id', ['é"', '', 'z']],
    ['body', 'text', ['x'.repeat(16_384), '', undefined]],
    ['body', 'id', ['x'.repeat(16_384), '', undefined]],
    ['size', 'int', [2 ** 31 - 1, undefined, undefined]],
    ['size', 'number', [2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1]],
    ['size', 'id', [`${2 ** 31 - 1}`, `${2 ** 31}`, `${-(2 ** 31) - 1}`]],
    ['weight', 'number', [1e21, 0.1, 0]],
    ['done', 'boolean', [true, false, true]],
    ['at', 'text', ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z']],
    ['at', 'id', ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z']],
    ['mark', ['A', 'b'], ['b', 'A', undefined]],
    ['mark', ['A', 'C', 'b'], ['b', 'A', 'C']],
  ])('shows the column %s as %j, or declines', async (field, as, expected) => {
    for (const [i, value] of expected.entries()) {
      expect(await thing(i + 1, column(field, as))).toBe(value);
    }
    const all = await things(column(field, as));
    if (expected.includes(undefined)) expect(all).toBeUndefined();
    else expect(all.map((each: object) => Object.values(each)[0])).toEqual(expected);
  });

  it('shows null where it may be, and declines where it may not', async () => {
    expect(await thing(1, column('count', 'int', true))).toBe(-(2 ** 31));
    expect(await thing(1, column('count', 'int'))).toBe(-(2 ** 31));
    expect(await thing(1, column('count', 'number', true))).toBe(-(2 ** 31));
    expect(await thing(1, column('count', 'number'))).toBe(-(2 ** 31));
    for (const [field, as] of [
      ['note', 'text'],
      ['count', 'int'],
      ['count', 'number'],
    ] as const) {
      expect(await thing(2, column(field, as, true))).toBeNull();
      expect(await thing(2, column(field, as))).toBeUndefined();
    }
    expect(await things(column('note', 'text', true))).toEqual([
      { note: 'n' },
      { note: null },
      { note: null },
    ]);
  });

  it('shows text of any length where the column is not declared to be long', async () => {
    const answer = Object(await read([record('makers', [name])], [{ id: 3 }]));
    expect(answer.it.name.length).toBe(16_385);
  });

  it('shows constants, and members in their order', async () => {
    const constant: JsonMember = { key: 'b"', value: { kind: 'constant', text: "Th'ing" } };
    expect(await read([constant], [])).toEqual({ 'b"': "Th'ing" });
    const query = [record('things', [name, constant, id])];
    const asked = [{ id: 1 }];
    expect(await json().read(json().prepare(query, asked, large), asked)).toBe(
      '{"it":{"name":"é\\"","b\\"":"Th\'ing","id":"1"}}',
    );
  });

  it('reads a record by any id, and null or nothing where there is none', async () => {
    const prepared = json().prepare([record('things', [id])], [{ id: 1 }], large);
    const answers = [1, 2, 9, undefined].map((id) => json().read(prepared, [{ id }]));
    expect(await Promise.all(answers)).toEqual([
      '{"it":{"id":"1"}}',
      '{"it":{"id":"2"}}',
      '{"it":null}',
      '{"it":null}',
    ]);
    const strict = json().prepare([record('things', [id], false)], [{ id: 1 }], large);
    expect(await json().read(strict, [{ id: 3 }])).toBe('{"it":{"id":"3"}}');
    expect(await json().read(strict, [{ id: 9 }])).toBeUndefined();
  });

  it('reads several records by their own ids', async () => {
    const { value } = record('makers', [name], true, 1);
    const query = [record('things', [id, list('parts', 2, [id], 'thingId')]), { key: 'b', value }];
    expect(await read(query, [{ id: 2 }, { id: 1 }, { first: 1 }])).toEqual({
      it: { id: '2', parts: [{ id: '4' }] },
      b: { name: 'Ann' },
    });
  });

  it('reads the record that another refers to', async () => {
    const names = maker([name]);
    const all = await Promise.all([1, 2, 3].map((id) => thing(id, names)));
    expect(all).toEqual([{ name: 'Ann' }, null, { name: 'Bo' }]);
    expect(await thing(2, maker([name], false))).toBeUndefined();
    expect(await thing(3, maker([name], false))).toEqual({ name: 'Bo' });
    // With all columns there is nothing that is not read.
    const whole = [id, name, column('since', 'text', true)];
    expect(await thing(1, maker(whole))).toEqual({
      ...{ id: '1', name: 'Ann', since: '2026-01-01T00:00:00.5Z' },
    });
    expect(await read([list('things', 0, [id, maker([id])])], [{}])).toEqual({
      things: [
        { id: '1', maker: { id: '1' } },
        { id: '2', maker: null },
        { id: '3', maker: { id: '2' } },
      ],
    });
  });
});
