/** A value that is there already, or will be. To wait for one that is there costs a turn of its own. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value: at once, when it is there. */
export function whenThere<T, U>(value: Soon<T>, use: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}
