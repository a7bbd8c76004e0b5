/** Keeps the `most` values that were asked for last; makes those that it does not have. */
export function createLru<Key, Value>(
  most: number,
  make: (key: Key) => Value,
): (key: Key) => Value {
  const kept = new Map<Key, Value>();
  let last: Key | undefined;
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined && key === last) return known;
    const value = known ?? make(key);
    last = key;
    // A map is in the order of insertion.
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > most) for (const oldest of kept.keys()) return drop(oldest, value);
    return value;
  };

  function drop(key: Key, value: Value): Value {
    kept.delete(key);
    return value;
  }
}
