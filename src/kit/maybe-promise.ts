/** A value, or a promise of it: awaiting a value that is there would cost a turn of the microtask queue. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value, synchronously where there is no promise. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  use: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}
