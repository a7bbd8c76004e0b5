/** What there is under an ID. Text that is no record's id has nothing under it. */
export async function byId<T>(
  text: string,
  find: (id: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const id = Number(text);
  return /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(id) ? find(id) : undefined;
}
