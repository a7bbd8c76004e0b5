import fc from 'fast-check';
import type { Choice } from './choice.ts';
import type { Schema } from './compared-contract.ts';
import { admitted } from './values.ts';

/** A body that a schema admits, spelled in one of many ways. What the path names is mostly the same in it. */
export function validBody(
  choice: Choice,
  schema: Schema,
  inPath: Readonly<Record<string, string>> = {},
): Buffer {
  const members = membersOf(choice, schema).map(([name, value]): Member => {
    const same = inPath[JSON.parse(name)];
    return [name, same === undefined || choice.isOnceIn(8) ? value : same];
  });
  return choice.isOnceIn(4)
    ? written(choice, members.map(respelled(choice)), choice.one(spaces))
    : written(choice, members);
}

/** A body with a fault: in a member, in its names, in its JSON, in its encoding or its size. */
export function faultyBody(choice: Choice, schema: Schema): Buffer {
  return choice.make([
    [12, () => written(choice, faulty(choice, membersOf(choice, schema)))],
    [3, () => Buffer.from(choice.one(wholes))],
    [2, () => choice.one(bytes)],
    [1, () => choice.one(large)()],
    [2, () => cut(choice, validBody(choice, schema))],
    [1, () => Buffer.from(JSON.stringify(choice.any(anyJson)))],
  ]);
}

/** A name and a value as they stand in JSON. */
type Member = readonly [name: string, value: string];

const json = fc.jsonValue({ maxDepth: 3 });
const anyJson = () => json;

function membersOf(choice: Choice, schema: Schema): Member[] {
  const value = admitted(choice, { type: 'object', ...schema });
  return Object.entries(Object(value)).map(([name, each]) => [
    JSON.stringify(name),
    JSON.stringify(each),
  ]);
}

function written(choice: Choice, members: readonly Member[], space = ''): Buffer {
  const inOrder = choice.isOnceIn(4) ? members.toReversed() : members;
  const text = inOrder.map(([name, value]) => `${space}${name}${space}:${space}${value}${space}`);
  return Buffer.from(`{${text.join()}}`);
}

const spaces = ['', ' ', '\n', '\t\r\n '];

/** The same value in other characters. */
function respelled(choice: Choice): (member: Member) => Member {
  return ([name, value]) => {
    const isInteger = /^\d+$/.test(value);
    const spelled = isInteger ? value + choice.one(['', '.0', 'e0', 'E+0', '.00e0']) : value;
    const escaped = `"\\u${name.charCodeAt(1).toString(16).padStart(4, '0')}${name.slice(2)}`;
    return [choice.isOnceIn(3) ? escaped : name, spelled];
  };
}

const nested = (open: string, heart: string, close: string, depth: number) =>
  open.repeat(depth) + heart + close.repeat(depth);

const values = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1', '1.5', '1e2', '1e999', '-1e999', '1e-400'],
  ...['2147483648', '9007199254740992', '9007199254740993', '9223372036854775808', '0.1e1'],
  ...['1.00000000000000000001', '1000000.0', '1000000000', '1000001', '01', '+1', '1.', 'NaN'],
  ...['""', '" "', '"1"', '"true"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\n"'],
  ...['"\u007f"', '"\\x"', '[]', '{}', '[[]]', '["a"]', '{"a":1}', '{"__proto__":1}', ''],
  ...['"\\u00e9"', `"${'a'.repeat(201)}"`, `"${'👍'.repeat(200)}"`, `"${'👍'.repeat(201)}"`],
  ...[`"${'a'.repeat(10_001)}"`, nested('[', '', ']', 300), nested('{"a":', '1', '}', 300)],
];
const names = ['"id"', '"x"', '""', '"__proto__"', '"constructor"', '"toString"', '"a/b~c"', '"é"'];

function faulty(choice: Choice, members: readonly Member[]): Member[] {
  const at = choice.below(Math.max(1, members.length));
  const [name, value] = members[at] ?? ['"x"', '1'];
  const other = choice.one(values);
  return choice.make<Member[]>([
    [6, () => members.toSpliced(at, 1, [name, other])],
    [2, () => members.toSpliced(at, 1)],
    [3, () => [...members, [choice.one(names), choice.one(['1', other])]]],
    [1, () => members.toSpliced(at, 1, [name.toUpperCase(), value])],
    [1, () => members.toSpliced(at, 1, [choice.one(names), value])],
    [2, () => [...members, [name, choice.one([value, other])]]],
    [1, () => [...members, ...many(choice.one([19, 20, 21, 99, 100, 101, 130]))]],
    [1, () => members.map(([each]) => [each, choice.one(values)])],
  ]);
}

function many(count: number): Member[] {
  return Array.from({ length: count }, (_, i) => [`"m${i}"`, '1']);
}

const wholes = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '{}',
    '[]',
    '[{}]',
    'null',
    'true',
    '1',
    '"x"',
    '{}x',
    '{"a":1,}',
    "{'a':1}",
  ],
  ...['\ufeff{}', '\u00a0{}', '{"a":1}{"a":1}', '//x\n{}', 'undefined', '\0', '{"a"}', '{"a":}'],
  ...[nested('[', '', ']', 50_000), nested('{"a":', '1', '}', 40_000), '{"a":{"b":1,"b":2}}'],
];

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const bytes = [
  ...[latin1('{"title":"\xff","pages":1}'), latin1('{"title":"\xc0\xaf","pages":1}')],
  ...[latin1('{"title":"\xed\xa0\x80","pages":1}'), latin1('{"title":"\xe2\x82","pages":1}')],
  ...[
    Buffer.from('{"title":"x","pages":1}', 'utf16le'),
    latin1('\xff\xfe{\0}\0'),
    latin1('\x1f\x8b'),
  ],
];

const MOST = 262_144;
const filled = (size: number) => Buffer.from(`"${'x'.repeat(size - 2)}"`);
const large = [
  ...[() => filled(MOST), () => filled(MOST + 1), () => filled(2 * MOST), () => filled(MOST - 1)],
  () => Buffer.from(`{${many(20_000).map((member) => member.join(':'))}}`),
  () => Buffer.from(`{"title":"x","pages":${'1'.repeat(200_000)}}`),
];

function cut(choice: Choice, body: Buffer): Buffer {
  return body.subarray(0, choice.below(body.length));
}
