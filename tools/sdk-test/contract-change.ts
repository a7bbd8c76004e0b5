import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sources } from '../../src/kit/cli/sdk/sdk-sources.ts';

/** Writes the contracts with one more field on books, in both protocols, as version 9.9.9. */
export function writeChanged(sources: Sources, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const changed = {
    'openapi.yaml': changedText(sources.openapi, [
      [/^ {2}version: .*$/m, '  version: 9.9.9'],
      [
        /^ {4}Book:\n[\s\S]*?pages: .*\n/m,
        (whole) => `${whole}        isbn: { type: string, maxLength: 17 }\n`,
      ],
      [
        /^ {4}BookInput:\n {6}type: object\n[\s\S]*?pages: .*\n/m,
        (whole) => `${whole}        isbn: { type: string, maxLength: 17 }\n`,
      ],
    ]),
    'schema.graphql': changedText(sources.sdl, [
      ['  pages: Int!\n', '  pages: Int!\n\n  "Its number."\n  isbn: String\n'],
    ]),
    'operations.graphql': changedText(sources.operations, [
      [/^query Book\([\s\S]*?pages\n/m, (whole) => `${whole}    isbn\n`],
    ]),
  };
  for (const [name, text] of Object.entries(changed)) writeFileSync(join(folder, name), text);
}

/** What compiles only with the new field. */
export const typescriptUse = `import { Accord, version } from 'accord-sdk';

const accord = new Accord({ baseUrl: 'http://127.0.0.1:3000' });
export async function use(): Promise<(string | undefined | null)[]> {
  const { isbn } = await accord.books.create({ title: 'Ubik', pages: 202, isbn: '0-575-07921-9' });
  return [isbn, (await accord.graphql.book({ id: '1' })).book?.isbn];
}
console.log(version);
`;

export const pythonUse = `from accord_sdk import VERSION, Accord, BookInput


def use(accord: Accord) -> list[str | None]:
    isbn = accord.books.create(BookInput(title="Ubik", pages=202, isbn="0-575-07921-9")).isbn
    book = accord.graphql.book(id="1").book
    return [isbn, book.isbn if book else None]


print(VERSION)
`;

type Edit = readonly [from: string | RegExp, to: string | ((whole: string) => string)];

function changedText(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, [from, to]) => {
    const after = before.replace(from, typeof to === 'string' ? () => to : to);
    if (after === before) throw new Error(`there is nothing like ${from} to change`);
    return after;
  }, text);
}
