/**
 * Gives a function that is told of each use: of more than `most` objects the one that was used least recently is
 * forgotten. The references are weak, so that they keep nothing alive.
 */
export function createRecentUses<T extends WeakKey>(
  most: number,
  forget: (object: T) => void,
): (object: T) => void {
  const refs = new WeakMap<T, WeakRef<T>>();
  // Least recently used first.
  const recent = new Set<WeakRef<T>>();
  return (object) => {
    const ref = refs.get(object) ?? new WeakRef(object);
    refs.set(object, ref);
    recent.delete(ref);
    recent.add(ref);
    if (recent.size <= most) return;
    const [oldest] = recent;
    if (!oldest) return;
    recent.delete(oldest);
    const forgotten = oldest.deref();
    if (forgotten) forget(forgotten);
  };
}
