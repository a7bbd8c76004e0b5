import type { Soon } from '../maybe-promise.ts';
/** What there is under an ID. Text that is no record's id has nothing under it. */
export function byId<T>(
  text: string,
  find: (id: number) => Soon<T | undefined>,
): Soon<T | undefined> {
  const id = Number(text);
  return /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(id) ? find(id) : undefined;
}
