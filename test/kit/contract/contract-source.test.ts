import { describe, expect, it } from 'vitest';
import { mayReferToFiles, refersToFiles } from '../../../src/kit/contract/bundle.ts';
import {
  bodyFaults,
  contractDigest,
  emptyContract,
  parseContract,
} from '../../../src/kit/contract/contract.ts';
import { contractText, readSource } from '../../../src/kit/contract/contract-source.ts';

const yaml = `a: 1
b:
  c: [x, { d: y }]
  200: z
  empty:
e: &anchor
  f: g
h: *anchor
i: { j: *anchor }
`;
const json = `{
 "a": 1,
 "b": { "c": ["x", { "d": "y" }] },
 "empty": null
}`;

describe('a part of a contract is shown where it stands:', () => {
  it.each([
    [yaml, [], 'value', '1:1'],
    [yaml, ['a'], 'key', '1:1'],
    [yaml, ['a'], 'value', '1:4'],
    [yaml, ['b'], 'key', '2:1'],
    [yaml, ['b'], 'value', '3:3'],
    [yaml, ['b', 'c'], 'value', '3:6'],
    [yaml, ['b', 'c', 0], 'value', '3:7'],
    [yaml, ['b', 'c', '1'], 'key', '3:10'],
    [yaml, ['b', 'c', 1, 'd'], 'key', '3:12'],
    [yaml, ['b', 'c', 1, 'd'], 'value', '3:15'],
    [yaml, ['b', '200'], 'key', '4:3'],
    [yaml, ['b', 200], 'value', '4:8'],
    [yaml, ['b', 'empty'], 'key', '5:3'],
    [yaml, ['h', 'f'], 'key', '7:3'],
    [yaml, ['h', 'f'], 'value', '7:6'],
    [yaml, ['i', 'j', 'f'], 'value', '7:6'],
    [yaml, ['nothing'], 'value', '1:1'],
    [yaml, ['b', 'nothing', 'more'], 'value', '3:3'],
    [yaml, ['b', 'nothing'], 'key', '2:1'],
    [yaml, ['b', 'c', 7], 'value', '3:6'],
    [yaml, ['a', 'b'], 'value', '1:4'],
    [json, ['b', 'c', 1, 'd'], 'key', '3:22'],
    [json, ['b', 'c', 1, 'd'], 'value', '3:27'],
    [json, ['empty'], 'value', '4:11'],
  ] as const)('%#: %j, %s: %s', (text, path, at, place) => {
    const { told, fail } = readSource(text, 'f');
    const line = `f:${place}: two lines`;
    expect(told({ path, at, message: 'two\n  lines' })).toBe(line);
    expect(() => fail({ path, at, message: 'two lines' })).toThrow(new Error(line));
  });

  it.each([
    ['{ "a": 1 }', { a: 1 }],
    ['\n { a: 1 }', { a: 1 }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['a: 1\nb: { a: 1 }', { a: 1, b: { a: 1 } }],
    ['? [a, b]\n: 1\n? [a, b]\n: 1', { '[ a, b ]': 1 }],
    ['text', 'text'],
  ])('%j is read', (text, value) => {
    expect(readSource(text, 'f').value).toEqual(value);
  });

  it.each([
    ['a: 1\nb: 2\na: 3', 'f:3:1: not YAML: Map keys must be unique; found "a: 3"'],
    ['{"a": 1, "b": {"c": 1, "c": 2}', /^f:1:\d+: not YAML: /],
    ['a: { b: 1, b: 2 }', 'f:1:12: not YAML: Map keys must be unique; found "a: { b: 1, b: 2 }"'],
    [`a: {${'x'.repeat(70)}`, new RegExp(`; found "a: \\{${'x'.repeat(56)}"$`)],
    ['a: *b', 'f:1:4: found *b, expected an anchor before it'],
    ['a: &b { c: *b }', 'f:1:12: found *b in the value of its own anchor'],
  ])('%j is refused', (text, line) => {
    expect(() => readSource(text, 'f')).toThrow(typeof line === 'string' ? new Error(line) : line);
  });

  it('aliases that would expand to very many values are refused', () => {
    const levels = Array.from({ length: 9 }, (_, i) => {
      const inner = i === 0 ? 'x' : `*l${i - 1}`;
      return `l${i}: &l${i} [${Array.from({ length: 9 }, () => inner)}]`;
    });
    expect(() => readSource(levels.join('\n'), 'f')).toThrow(
      new Error('f:1:1: found aliases that stand for very many values, expected fewer'),
    );
  });

  it('bytes that are no text are told with their place', () => {
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    expect(contractText(Buffer.from('é'), 'f')).toBe('é');
    expect(() => contractText(bytes('é'), 'f')).toThrow(
      new Error('f:1:1: found bytes that are not UTF-8'),
    );
    expect(() => contractText(bytes('a\nbc\né'), 'f')).toThrow('f:3:1: ');
    expect(() => contractText(bytes('a\nbcé'), 'f')).toThrow('f:2:3: ');
  });
});

describe('a contract has parts in other files', () => {
  it.each([
    ['$ref: "a.yaml"', true, true],
    ['"$ref": "a.yaml#/b"', true, true],
    ["$ref: '#/a'", false, false],
    ['{"$ref":"#/a"}', false, false],
    ["$ref: '#/a'\nb: [{ $ref: c.json }]", true, true],
    ['a: { $ref: 1 }', true, false],
    ['a: b', false, false],
  ])('%j: as its text may say %s, as it says %s', (text, may, does) => {
    expect([mayReferToFiles(text), refersToFiles(readSource(text, 'f').value)]).toEqual([
      may,
      does,
    ]);
  });
});

describe('a contract', () => {
  const operation = (responses = { 200: { description: '' } }) => ({ responses });
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
  const requestBody = { content: { 'application/json': { schema } } };
  const text = JSON.stringify({
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' } },
    paths: {
      ...Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`/${i}`, { get: operation() }])),
      '/a': { post: { operationId: 'send', requestBody, ...operation() } },
    },
  });

  it('tells what it does not admit as the body of an operation', async () => {
    const faults = bodyFaults(await parseContract(text), 'send');
    expect([faults({ a: 1 }), faults({ a: 'b' }), faults({}), faults(1)]).toEqual([
      [],
      ['/a must be integer'],
      ["the body must have required property 'a'"],
      ['the body must be object'],
    ]);
  });

  it('forgets the validators of operations that were not asked for lately', async () => {
    const { operations, compilerOf } = await parseContract(text);
    const [first, ...others] = operations;
    for (const errors of ['all', 'first'] as const) {
      const known = compilerOf(first, errors);
      for (const each of others.slice(0, 99)) compilerOf(each, errors);
      expect(compilerOf(first, errors)).toBe(known);
      for (const each of others.slice(0, 100)) compilerOf(each, errors);
      expect(compilerOf(first, errors)).not.toBe(known);
    }
    expect(compilerOf(first)).toBe(compilerOf(first, 'all'));
    expect(compilerOf(first)).not.toBe(compilerOf(first, 'first'));
    expect(compilerOf(undefined)).toBe(compilerOf(undefined));
  });

  it('is told from others by its digest, with the SDL beside it', async () => {
    const contract = await parseContract(text);
    expect(contract.digestWith('b')).toBe(contractDigest(text, 'b'));
    expect(contractDigest('ab', 'c')).toBe(contractDigest('a', 'bc'));
    // printf abc | sha256sum
    expect(contractDigest('a', 'bc')).toMatch(/^ba7816bf8f01cfea414140de5dae2223/);
    expect(contract.text).toBe(text);
  });

  it('of GraphQL alone has no operations and no text', async () => {
    const { document, operations, text: none, digestWith } = await emptyContract();
    expect([document.info.title, operations, none]).toEqual(['GraphQL API', [], '']);
    expect(digestWith('a')).toBe(contractDigest('', 'a'));
    expect((await emptyContract('Own')).document.info.title).toBe('Own');
  });
});
