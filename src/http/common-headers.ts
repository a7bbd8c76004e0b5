import type { ServerResponse } from 'node:http';

/** An answer and the headers that it carries whoever gives it, as names and values in turn. */
type Carrying = ServerResponse & { common?: string[] };

/** Makes an answer carry a header. Headers that are written at once cost half of those set one by one. */
export function carry(response: Carrying, name: string, value: string): void {
  if (response.common) response.common.push(name, value);
  else response.common = [name, value];
}

/** What an answer is to carry, for whoever writes its head, which is done once. */
export function takeCarried(response: Carrying): string[] {
  return response.common ?? [];
}

/** Sets what an answer is to carry, for one whose head others write. */
export function setCarried(response: Carrying): void {
  const { common = [] } = response;
  for (let i = 0; i + 1 < common.length; i += 2) {
    response.setHeader(String(common[i]), String(common[i + 1]));
  }
}
