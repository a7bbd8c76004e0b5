/** Keeps what was made for the keys that were asked for last; the rest is made again when it is asked for. */
export function createRecent<Key, Value>(
  most: number,
  make: (key: Key) => Value,
): (key: Key) => Value {
  const kept = new Map<Key, Value>();
  return (key) => {
    const known = kept.get(key);
    const value = known === undefined ? make(key) : known;
    // A Map keeps the order of insertion: the first is the one that was not asked for longest.
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > most) {
      const [oldest] = kept.keys();
      // There is a first one: there are more than `most`.
      kept.delete(oldest as Key);
    }
    return value;
  };
}
