import type { AnySchemaObject, FuncKeywordDefinition } from 'ajv/dist/2020.js';
import { isObject } from './openapi-document.ts';

/** `uniqueItems` in linear time, with the errors of Ajv's own: that compares each object with each other one. */
export const uniqueItems = {
  ...{ keyword: 'uniqueItems', type: 'array', errors: true },
  validate: judge,
} as const satisfies FuncKeywordDefinition;

judge.errors = [] as object[];

function judge(isDemanded: boolean, items: readonly unknown[], schema?: AnySchemaObject): boolean {
  const pair = isDemanded ? equalItems(items) : undefined;
  if (!pair) return true;
  const [first, last] = isScalar(schema?.items) ? pair.toReversed() : pair;
  const message = `must NOT have duplicate items (items ## ${first} and ${last} are identical)`;
  const params = { i: last, j: first };
  judge.errors = [{ keyword: 'uniqueItems', params, message, parentSchema: schema }];
  return false;
}

/** Whether the items of a list have a type that Ajv does not compare each with each. */
export function isScalar(items: unknown): boolean {
  const types = isObject(items) ? [items.type ?? []].flat() : [];
  return types.length > 0 && !types.includes('object') && !types.includes('array');
}

/**
 * `const` and `enum` in constant time, with the errors of Ajv's own: that asks values for their `constructor` and calls
 * their `valueOf`, which may be members that were sent.
 */
export const equality: readonly FuncKeywordDefinition[] = [
  {
    ...{ keyword: 'const', errors: true },
    compile: (allowedValue: unknown, parentSchema) =>
      oneOf([allowedValue], {
        ...{ keyword: 'const', params: { allowedValue }, parentSchema },
        message: 'must be equal to constant',
      }),
  },
  {
    ...{ keyword: 'enum', errors: true },
    compile: (allowedValues: readonly unknown[], parentSchema) =>
      oneOf(allowedValues, {
        ...{ keyword: 'enum', params: { allowedValues }, parentSchema },
        message: 'must be equal to one of the allowed values',
      }),
  },
];

type Judge = { (value: unknown): boolean; errors?: object[] };

function oneOf(values: readonly unknown[], error: object): Judge {
  const known = new Set(values);
  const texts = new Set(values.filter(isObject).map(itemText));
  const judge: Judge = (value) => {
    const isOne = isObject(value) ? texts.size > 0 && texts.has(itemText(value)) : known.has(value);
    // Ajv writes into it where the value stands.
    if (!isOne) judge.errors = [{ ...error }];
    return isOne;
  };
  return judge;
}

/** The place of the last item that equals one before it, behind the place of that. */
function equalItems(items: readonly unknown[]): readonly [number, number] | undefined {
  const places = new Map<string, number>();
  let pair: [number, number] | undefined;
  for (const [i, item] of items.entries()) {
    const text = itemText(item);
    const before = places.get(text);
    if (before !== undefined) pair = [before, i];
    places.set(text, i);
  }
  return pair;
}

/** Texts that are the same for items that JSON Schema takes for equal: members have no order. */
export function itemText(item: unknown): string {
  return JSON.stringify(item, (_, value) =>
    isObject(value) && !Array.isArray(value) ? ordered(value) : value,
  );
}

function ordered(value: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, value[name]]),
  );
}
