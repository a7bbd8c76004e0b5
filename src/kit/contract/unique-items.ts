import type { FuncKeywordDefinition } from 'ajv/dist/2020.js';
import { isObject } from './openapi-document.ts';

/** `uniqueItems` in linear time: Ajv compares each object with each other one, and takes 2 s for 10,000. */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  validate: (isDemanded: boolean, items: readonly unknown[]) => !isDemanded || areUnique(items),
  error: { message: 'must NOT have duplicate items' },
};

export function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(itemText)).size === items.length;
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
