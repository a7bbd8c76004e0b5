// engines: sqlite, postgres
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../src/kit/contract/contract.ts';
import { useServer } from '../support/api-server.ts';
import { text, valuesOf } from '../support/arbitrary.ts';

const { api, graphql } = useServer();
const contract = await readContract(new URL('../../openapi.yaml', import.meta.url));

describe('across protocols', () => {
  it('what REST writes GraphQL reads, equal but for the id being text', async () => {
    const input = valuesOf(contract, { $ref: '#/components/schemas/BookInput' });
    const change = fc.record({
      do: fc.constantFrom('POST', 'PUT', 'DELETE'),
      input,
      pick: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 15 }), async (changes) => {
        for (const { do: method, input: json, pick } of changes) {
          const { json: books } = await api({ path: '/books' });
          const book = books[pick % books.length];
          if (method === 'POST' || !book) await api({ method: 'POST', path: '/books', json });
          else if (method === 'PUT') await api({ method, path: `/books/${book.id}`, json });
          else await api({ method, path: `/books/${book.id}` });
        }
        const { json: books } = await api({ path: '/books' });
        const { json } = await graphql('{ books { id title pages } }');
        const mapped = books.map((book: { id: number }) => ({ ...book, id: String(book.id) }));
        expect(json).toEqual({ data: { books: mapped } });
        for (const { id } of books.slice(-3)) {
          const one = await graphql('query ($id: ID!) { book(id: $id) { id title pages } }', {
            id,
          });
          expect(one.json.data.book).toEqual(
            mapped.find((book: { id: string }) => book.id === `${id}`),
          );
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('any Unicode text', () => {
  it('comes back from REST as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(text(1, 200), text(0, 300), async (title, body) => {
        const created = await api({ method: 'POST', path: '/notes', json: { title, body } });
        const { id } = created.json;
        const got = await api({ path: `/notes/${id}` });
        expect(got.json).toEqual({ id, title, body });
        // A record that was just added is written by other means than one that is read.
        expect(got.text).toBe(created.text);
        expect(got.headers.etag).toBe(created.headers.etag);
      }),
      { numRuns: 150 },
    );
  });

  it('comes back from GraphQL as it was sent, in a variable or in the document', async () => {
    await fc.assert(
      fc.asyncProperty(text(1, 100), async (title) => {
        const literal = JSON.stringify(title).replaceAll('\u007f', '\\u007f');
        const inDocument = await graphql(`mutation { addTodo(title: ${literal}) { title } }`);
        const inVariable = await graphql(
          'mutation ($title: String!) { addTodo(title: $title) { title } }',
          {
            title,
          },
        );
        expect(inDocument.json).toEqual({ data: { addTodo: { title } } });
        expect(inVariable.json).toEqual({ data: { addTodo: { title } } });
      }),
      { numRuns: 150 },
    );
  });
});
