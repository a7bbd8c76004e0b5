import type { MaybePromise } from '../maybe-promise.ts';

/** Looks up a GraphQL ID; text that is no record's id is not found. */
export function byId<T>(
  text: string,
  find: (id: number) => MaybePromise<T | undefined>,
): MaybePromise<T | undefined> {
  const id = Number(text);
  return /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(id) ? find(id) : undefined;
}
