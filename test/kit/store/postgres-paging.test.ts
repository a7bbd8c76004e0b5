// engines: postgres
// long: reads pages of large tables
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';
import { samples } from '../../support/collections.ts';
import { ENOUGH_CONNECTIONS } from '../../support/engine.ts';

const server = useServer({ DATABASE_POOL: `${ENOUGH_CONNECTIONS}` });
const { api } = server;

const LIMIT = 16;
const WRITERS = 16;
const ROUNDS = 50;
const READERS = 4;
// A page of them is sent in pieces.
const longNote = { title: 'Long', body: 'x'.repeat(10_000) };

type Walk = { readonly ids: readonly number[]; readonly sizes: readonly number[] };

describe('a page while 16 clients insert and delete', () => {
  it.each([
    ['books', '/books', samples.books.input],
    ['short notes', '/notes', samples.notes.input],
    ['long notes', '/notes', longNote],
  ])(
    'of %s has at most as many records as its limit, and its Link leads to the rest',
    async (_, path, json) => {
      const create = async (): Promise<number> =>
        (await api({ method: 'POST', path, json })).json.id;
      const remove = (id: number) => api({ method: 'DELETE', path: `${path}/${id}` });
      const lasting: number[] = [];
      let writing = WRITERS;
      async function write() {
        for (let i = 0; i < ROUNDS; i++) {
          const [id, other] = await Promise.all([create(), create()]);
          await Promise.all([remove(id), i % 10 === 0 ? lasting.push(other) : remove(other)]);
        }
        writing--;
      }

      const faults: string[] = [];
      async function read() {
        while (writing > 0) {
          const expected = [...lasting];
          const { ids, sizes } = await walk(path);
          if (Math.max(...sizes) > LIMIT) faults.push(`pages of ${sizes}`);
          // Only a page in pieces may lack records: those that are deleted while it is sent.
          const isShort = sizes.slice(0, -1).some((size) => size < LIMIT);
          if (isShort && json !== longNote) faults.push(`pages of ${sizes} with a Link`);
          if (ids.some((id, i) => i > 0 && id <= Number(ids[i - 1]))) faults.push(`order: ${ids}`);
          const missing = expected.filter((id) => !ids.includes(id));
          if (missing.length > 0) faults.push(`missing: ${missing}`);
        }
      }
      await Promise.all([
        ...Array.from({ length: WRITERS }, write),
        ...Array.from({ length: READERS }, read),
      ]);
      expect(faults).toEqual([]);
      for (const id of (await walk(path)).ids) await remove(id);
    },
  );
});

/** The ids of all pages, from Link to Link, and how many records each page has. */
async function walk(path: string): Promise<Walk> {
  const ids: number[] = [];
  const sizes: number[] = [];
  let next: string | undefined = `${path}?limit=${LIMIT}`;
  while (next) {
    const { json, headers } = await api({ path: next });
    ids.push(...json.map(({ id }: { id: number }) => id));
    sizes.push(json.length);
    next = String(headers.link ?? '').match(/^<(.*)>; rel="next"$/)?.[1];
  }
  return { ids, sizes };
}
