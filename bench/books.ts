import { equal } from 'node:assert/strict';
import type { HttpResponse } from '../tools/support/http-wire.ts';
import { createBook, http } from './cases.ts';
import { range } from './data.ts';
import { openConnections } from './load.ts';

const CLIENTS = 32;

/** Creates books for a case that deletes them; their ids. */
export async function addBooks(port: number, count: number): Promise<number[]> {
  const ids: number[] = [];
  await ask(
    port,
    range(count).map(() => createBook),
    (answer) => ids.push(idIn(answer)),
  );
  return ids;
}

/** Deletes the books that a case created, so that every list has the same length. */
export async function removeBooks(port: number, ids: readonly number[], status: number) {
  const requests = ids.map((id) => Buffer.from(http('DELETE', `/books/${id}`)));
  await ask(port, requests, (answer) => equal(answer.status, status));
}

async function ask(port: number, requests: Buffer[], check: (answer: HttpResponse) => void) {
  if (requests.length === 0) return;
  const connections = await openConnections(port, CLIENTS);
  await connections.run({ requests, keepsBodies: false, check });
  connections.close();
}

/** The id in the Location of a new book. */
export function idIn({ status, head }: HttpResponse): number {
  equal(status, 201);
  return Number(/\r\nlocation: \S*\/(\d+)/i.exec(head)?.[1]);
}
