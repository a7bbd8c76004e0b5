import type { Reply } from './call.js';

/** All records of a list, fetched page by page as they are asked for. */
export class PagedList<Item> implements AsyncIterable<Item> {
  readonly #fetch: (query: Query) => Promise<Reply<Item[], LinkHeader>>;
  readonly #first: Query;

  constructor(fetch: (query: Query) => Promise<Reply<Item[], LinkHeader>>, first: Query) {
    this.#fetch = fetch;
    this.#first = first;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page;
  }

  /** A page at a time. */
  async *pages(): AsyncGenerator<Item[], void, undefined> {
    for (let query: Query | undefined = this.#first; query; ) {
      const { data, headers } = await this.#fetch(query);
      yield data;
      query = nextQuery(headers.link);
    }
  }

  /** All of them in an array. */
  async toArray(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

type Query = Readonly<Record<string, unknown>>;
type LinkHeader = { readonly link?: string | undefined };

/** Of a link only the query counts: it is the same list, wherever the server is reached. */
export function nextQuery(link: string | undefined): Record<string, string> | undefined {
  for (const [, target = '', parameters = ''] of link?.matchAll(/<([^>]*)>([^<]*)/g) ?? []) {
    if (/;\s*rel="?next"?/i.test(parameters)) {
      return Object.fromEntries(new URL(target, 'http://any').searchParams);
    }
  }
  return undefined;
}
