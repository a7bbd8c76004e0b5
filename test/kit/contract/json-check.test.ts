// engines: sqlite
import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';

/** A contract in JSON with more members. */
const contractWith = (members: string) =>
  `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},${members}}`;
const read = (members: string) => parseContract(contractWith(members), 'openapi.json');
const levels = (count: number) => `"x-a":${'['.repeat(count)}${']'.repeat(count)}`;

describe('JSON with a name twice in one object is refused where it stands:', () => {
  const start = contractWith('').length - 1;
  it.each([
    ['"x-a":1,"x-a":1', 8],
    ['"x-a":{"b":[{"c":1,"c":2}]}', 19],
    ['"x-a":{"b":1,"\\u0062":2}', 13],
    ['"x-a":{"b\\\\":1,"b\\\\":2}', 15],
    ['"x-a":"{\\":","x-a":2', 13],
  ])('%s', async (members, at) => {
    await expect(read(members)).rejects.toThrow(
      `openapi.json:1:${start + at + 1}: not YAML: Map keys must be unique; found`,
    );
  });

  it.each([
    '"x-a":[{"b":1},{"b":2}]',
    '"x-a":{"x-a":{"x-a":1}}',
    '"x-a":":{\\"b\\":1,\\"b\\":2}"',
    '"x-a":"\\\\","x-b":"\\\\\\""',
    '"x-a":{"__proto__":1,"constructor":2}',
  ])('%s has none', async (members) => {
    expect((await read(members)).operations).toEqual([]);
  });
});

describe('JSON may have a thousand levels', () => {
  it('and no more', async () => {
    expect((await read(levels(999))).operations).toEqual([]);
    const message = 'found more than 1000 levels, expected fewer';
    expect((await read(`"x-a":"${'['.repeat(1000)}"`)).operations).toEqual([]);
    await expect(read(levels(1000))).rejects.toThrow(message);
    const deep = contractWith(`\n ${levels(20_000)}`);
    await expect(parseContract(deep, 'a.json')).rejects.toThrow(`a.json:2:1007: ${message}`);
  });
});
