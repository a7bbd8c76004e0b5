import { itemText } from '../contract/equal-values.ts';
import { isObject } from '../contract/openapi-document.ts';

const MOST_TRIES = 20;

/** With every repeated item changed, or left out where there are enough others. */
export function distinct(items: readonly unknown[], least: number): unknown[] {
  const seen = new Map<string, unknown>();
  for (const item of items) {
    const key = itemText(item);
    if (!seen.has(key)) seen.set(key, item);
    else if (seen.size < least) {
      const other = unlike(item, seen);
      seen.set(itemText(other), other);
    }
  }
  return [...seen.values()];
}

function unlike(item: unknown, seen: ReadonlyMap<string, unknown>): unknown {
  let other = item;
  for (let i = 0; i < MOST_TRIES && seen.has(itemText(other)); i++) {
    other = another(item, seen.size + i);
  }
  return other;
}

function another(item: unknown, i: number): unknown {
  if (typeof item === 'number') return item + i;
  if (typeof item === 'string') return `${item}${i}`;
  if (typeof item === 'boolean') return !item;
  if (Array.isArray(item)) return [...item, i];
  if (!isObject(item)) return i;
  const [name = 'member', value] = Object.entries(item)[0] ?? [];
  return { ...item, [name]: another(value, i) };
}
