import type { Choice } from './choice.ts';
import type { Operation, Parameter } from './compared-contract.ts';
import type { Pair } from './compared-exchange.ts';
import { admitted } from './values.ts';

/** A parameter and the text that is sent for it, in the form that its place needs. */
export type Given = { readonly name: string; readonly in: string; readonly text: string };

/** Valid parameters; those that are not required are there at times. */
export function parametersOf(choice: Choice, { parameters }: Operation): Given[] {
  return parameters
    .filter((each) => each.in === 'path' || each.isRequired || choice.isOnceIn(3))
    .map((each) => given(each, validText(choice, each)));
}

/** The same with one of them malformed, missing, doubled, misspelt, oddly encoded, or unknown. */
export function faultyParameters(choice: Choice, operation: Operation): Given[] {
  const all = operation.parameters.map((each) => given(each, validText(choice, each)));
  const kept = all.filter((each) => each.in === 'path' || choice.isOnceIn(2));
  const unknown = () => [...kept, { name: choice.one(unknownNames), in: 'query', text: '1' }];
  const target = all.length > 0 ? choice.one(all) : undefined;
  if (!target || choice.isOnceIn(5)) return unknown();
  const others = all.filter(
    (each) => each !== target && (each.in === 'path' || choice.isOnceIn(2)),
  );
  const changed = { ...target, text: oddText(choice, target) };
  return choice.make([
    [8, () => [...others, changed]],
    [2, () => [...others, { ...target, text: everyByteEncoded(target.text) }]],
    [2, () => [target, ...others, choice.one([target, changed])]],
    [1, () => [...others, { ...target, name: target.name.toUpperCase() }]],
    [1, () => [...others, { ...target, name: target.name + choice.one(endings) }]],
    [1, () => [target, ...unknown()]],
  ]);
}

/** Path, query and headers that carry the parameters. */
export function targetOf(operation: Operation, parameters: readonly Given[]) {
  const among = (place: string) => parameters.filter((each) => each.in === place);
  const path = operation.path.replaceAll(
    /\{([^}]*)\}/g,
    (_, name) => among('path').findLast((each) => each.name === name)?.text ?? '',
  );
  const query = among('query').map(({ name, text }) => `${name}=${text}`);
  const headers = among('header').map(({ name, text }): Pair => [name, text]);
  return { target: query.length > 0 ? `${path}?${query.join('&')}` : path, headers };
}

// Few, so that keys, ids and languages meet again.
const known: Readonly<Record<string, readonly string[]>> = {
  'Idempotency-Key': ['k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', '~'.repeat(255)],
  'If-Match': ['"1"', '"2"', '*', '"1", "2"'],
  'If-None-Match': ['"1"', '"2"', 'W/"1"', '"7"'],
  lang: ['en', 'EN', 'pt-br', 'zh-Hans', 'ja', 'de', 'tlh', 'xx'],
};

function validText(choice: Choice, { name, schema }: Parameter): string {
  const common = known[name];
  if (common && !choice.isOnceIn(5)) return choice.one(common);
  return String(admitted(choice, { type: 'string', ...schema }));
}

function given({ name, in: place }: Parameter, text: string): Given {
  // A header cannot have what is not a byte, nor a line break.
  const inHeader = text.replaceAll(/[^\t -~]/g, '');
  return { name, in: place, text: place === 'header' ? inHeader : encodeURIComponent(text) };
}

function everyByteEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

const endings = ['[]', '[x]', '%5B%5D', '%20', '+', '.x', '%00', '%26%5B'];
const unknownNames = [
  ...['x', 'LIMIT', 'limit[]', '__proto__', 'constructor', 'toString', '__proto__[x]', '', '%ff'],
  ...[
    '%6cimit',
    'limit%00',
    'a%20b',
    'a.b',
    'a[0][b]',
    '%5Ba%5D',
    '[a]',
    'x'.repeat(300),
    '?x',
    '&',
  ],
];
const odd = [
  ...[
    '',
    '0',
    '01',
    '+1',
    '-1',
    '1e1',
    '1.0',
    '1.5',
    '0x1',
    '%201',
    '1%20',
    'abc',
    '%ff',
    '%',
    '%2',
  ],
  ...['%00', '1/', '1//', '1%2F2', '1;x', '1,2', 'a%2Cb', 'NaN', 'null', 'true', '[]', '{}', '"1"'],
  ...['9007199254740991', '9007199254740992', '99999999999999999999', '1'.repeat(300), '1001'],
  ...['%D9%A1', '%F0%9F%98%80', '%ED%A0%80', 'a=b', 'a%26b', '__proto__', '..', '.', '%2e%2e', '*'],
];
const oddInHeaders = [
  '',
  '"',
  'a b',
  'k'.repeat(256),
  '\x7f',
  '\xe9',
  '"1',
  'W/',
  ',',
  ', ,',
  '0x10',
];

function oddText(choice: Choice, { in: place }: Given): string {
  return choice.one(place === 'header' ? oddInHeaders : odd);
}
