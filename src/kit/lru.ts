/** Keeps the `most` values that were asked for last; makes those that it does not have. */
export function createLru<Key, Value>(
  most: number,
  make: (key: Key) => Value,
): (key: Key) => Value {
  // A map is in the order of insertion.
  const kept = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const entry = kept.get(key) ?? { value: make(key) };
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.size > most ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return entry.value;
  };
}
