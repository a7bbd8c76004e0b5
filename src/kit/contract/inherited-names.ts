import { present } from '../errors.ts';

const inherited: ReadonlySet<unknown> = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Whether a part of a document names anything that every object inherits, such as `constructor`. Ajv takes an inherited
 * member for one that was sent, unless it is told to look closer, which costs more.
 */
export function namesInherited(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return inherited.has(value);
  return Object.entries(value).some(([key, child]) => inherited.has(key) || namesInherited(child));
}

/** The members of an object, without those that every object inherits. */
export function ownMembers(value: unknown): Record<string, unknown> {
  return Object.assign(Object.create(null), value);
}

/**
 * Runs with values whose objects inherit nothing, for a validator that cannot be told to look closer. What has a class
 * of its own, such as a stream, stays as it is.
 */
export async function withoutInherited<T>(values: unknown, run: () => Promise<T>): Promise<T> {
  const plain = partsIn(values).filter((part) => Object.getPrototypeOf(part) === Object.prototype);
  for (const each of plain) Object.setPrototypeOf(each, null);
  try {
    return await run();
  } finally {
    for (const each of plain) Object.setPrototypeOf(each, Object.prototype);
  }
}

/** The objects and lists in a value, itself included. What has a class of its own, such as a stream, has no parts. */
export function partsIn(value: unknown): object[] {
  const parts = [value].filter(hasParts);
  for (let i = 0; i < parts.length; i++) {
    for (const child of Object.values(present(parts[i]))) if (hasParts(child)) parts.push(child);
  }
  return parts;
}

function hasParts(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
}
