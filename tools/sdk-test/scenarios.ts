import type { Fault, Seen } from './faulty-proxy.ts';

/** What a program prints about the one thing that it did. */
export type Outcome = {
  readonly ok?: unknown;
  readonly error?: string;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly warnings?: number;
};

export type Scenario = {
  readonly name: string;
  /** What programs/scenarios does. */
  readonly action: string;
  readonly faults: readonly Fault[];
  /** How often the request must have arrived, no more and no less. */
  readonly requests: number;
  readonly outcome: Outcome;
  /** How many books and todos there must be in the end; three and one come with the demo data. */
  readonly books?: number;
  readonly todos?: number;
  /** What else must hold of what arrived. */
  readonly holds?: (seen: readonly Seen[]) => boolean;
};

const book = { id: 2, title: 'Invisible Cities', pages: 165 };
const created = { id: 4, title: 'Ubik', pages: 202 };
const replaced = { id: 2, title: 'Ubik', pages: 202 };
const busy: Fault = { status: 503, headers: { 'retry-after': '1' } };
const again: Fault = { status: 503, headers: { 'retry-after': '0' } };

// A timer may be early by a millisecond.
const waited = ([first, second]: readonly Seen[]) =>
  first !== undefined && second !== undefined && second.at - first.at >= 990;
const keys = (seen: readonly Seen[]) => seen.map(({ headers }) => headers['idempotency-key']);
const oneKey = (seen: readonly Seen[]) => new Set(keys(seen)).size === 1 && Boolean(keys(seen)[0]);

/** The same for every language: what goes wrong, and what the SDK must make of it. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a read that is answered with 503 is sent again after what Retry-After says',
    action: 'get',
    faults: [busy],
    requests: 2,
    outcome: { ok: book },
    holds: waited,
  },
  {
    name: 'Retry-After may be a date',
    action: 'get',
    faults: [
      {
        status: 429,
        // A date has no parts of seconds: two from now are between one and two.
        get headers() {
          return { 'retry-after': new Date(Date.now() + 2000).toUTCString() };
        },
      },
    ],
    requests: 2,
    outcome: { ok: book },
    holds: ([first, second]) => (second?.at ?? 0) - (first?.at ?? 0) >= 900,
  },
  {
    name: 'a read whose connection breaks is sent again',
    action: 'get',
    faults: ['drop', 'drop the answer'],
    requests: 3,
    outcome: { ok: book },
  },
  {
    name: 'a read whose answer breaks off is sent again',
    action: 'list',
    faults: ['cut the answer'],
    requests: 2,
    outcome: { ok: 3 },
  },
  {
    name: 'a read that is not answered in time is sent again',
    action: 'get quickly',
    faults: ['hang'],
    requests: 2,
    outcome: { ok: book },
  },
  {
    name: 'after three more attempts it gives up',
    action: 'get',
    faults: [again, again, again, again, again],
    requests: 4,
    outcome: { error: 'ServiceUnavailableError', status: 503, retryAfter: 0 },
  },
  {
    name: 'nobody waits for an hour',
    action: 'get',
    faults: [{ status: 503, headers: { 'retry-after': '3600' } }],
    requests: 1,
    outcome: { error: 'ServiceUnavailableError', status: 503, retryAfter: 3600 },
  },
  {
    name: 'an answer that the contract does not know is an ApiError, and is not repeated',
    action: 'get',
    faults: [{ status: 418 }],
    requests: 1,
    outcome: { error: 'ApiError', status: 418 },
  },
  {
    name: 'what is refused as invalid is not sent again',
    action: 'create something invalid',
    faults: [],
    requests: 1,
    outcome: { error: 'BadRequestError', status: 400 },
    books: 3,
  },
  {
    name: 'a POST that is answered with 503 is sent again under the same key',
    action: 'create',
    faults: [busy],
    requests: 2,
    outcome: { ok: created },
    books: 4,
    holds: (seen) => oneKey(seen) && waited(seen),
  },
  {
    name: 'a POST whose answer is lost is sent again under the same key, and one record is made',
    action: 'create',
    faults: ['drop the answer', 'cut the answer'],
    requests: 3,
    outcome: { ok: created },
    books: 4,
    holds: oneKey,
  },
  {
    name: 'a POST that is not answered in time is sent again, and one record is made',
    action: 'create quickly',
    faults: ['hold the answer'],
    requests: 2,
    outcome: { ok: created },
    books: 4,
    holds: oneKey,
  },
  {
    name: 'a POST that arrives twice makes one record',
    action: 'create',
    faults: ['duplicate'],
    requests: 1,
    outcome: { ok: created },
    books: 4,
  },
  {
    name: 'two POSTs of the same make two records',
    action: 'create twice',
    faults: [],
    requests: 2,
    outcome: { ok: 2 },
    books: 5,
    holds: (seen) => new Set(keys(seen)).size === 2,
  },
  {
    name: 'a PUT whose answer is lost is sent again',
    action: 'replace',
    faults: ['drop the answer'],
    requests: 2,
    outcome: { ok: replaced },
  },
  {
    name: 'a PUT that is held to a version is not sent again when its answer is lost',
    action: 'replace a version',
    faults: ['drop the answer'],
    requests: 1,
    outcome: { error: 'ConnectionError' },
  },
  {
    name: 'a PUT that is held to a version is sent again when nothing was changed',
    action: 'replace a version',
    faults: [again],
    requests: 2,
    outcome: { ok: replaced },
  },
  {
    name: 'a DELETE whose answer is lost is done when it is sent again',
    action: 'delete',
    faults: ['drop the answer'],
    requests: 2,
    outcome: { ok: null },
    books: 2,
  },
  {
    name: 'a DELETE of what is not there says so',
    action: 'delete nothing',
    faults: [],
    requests: 1,
    outcome: { error: 'NotFoundError', status: 404 },
  },
  {
    name: 'an update that is overtaken is made again on what the other wrote',
    action: 'update',
    faults: ['pass', { overtakenBy: { title: 'Invisible Cities', pages: 300 } }],
    requests: 4,
    outcome: { ok: { ...book, pages: 301 } },
  },
  {
    name: 'an update whose answer is lost is not made twice',
    action: 'update',
    faults: ['pass', 'drop the answer'],
    requests: 2,
    outcome: { error: 'ConnectionError' },
  },
  {
    name: 'a GraphQL query whose connection breaks is sent again',
    action: 'query',
    faults: ['drop', again],
    requests: 3,
    outcome: { ok: { book: { title: 'Invisible Cities', pages: 165 } } },
  },
  {
    name: 'a GraphQL mutation whose answer is lost is not sent again',
    action: 'mutate',
    faults: ['drop the answer'],
    requests: 1,
    outcome: { error: 'ConnectionError' },
    todos: 2,
  },
  {
    name: 'a GraphQL mutation that is answered with 503 is not sent again',
    action: 'mutate',
    faults: [again],
    requests: 1,
    outcome: { error: 'ConnectionError' },
    todos: 1,
  },
  {
    name: 'a failed mutation has the code of its failure',
    action: 'mutate in vain',
    faults: [],
    requests: 1,
    outcome: { error: 'GraphqlRequestError NOT_FOUND', status: 200 },
  },
  {
    name: 'a list comes page by page',
    action: 'iterate',
    faults: ['pass', 'drop'],
    requests: 4,
    outcome: { ok: [1, 2, 3] },
    holds: (seen) => seen.every(({ url }) => url.startsWith('/books?limit=1')),
  },
  {
    name: 'who stops taking from a list stops asking for it',
    action: 'iterate in part',
    faults: [],
    requests: 1,
    outcome: { ok: [1] },
  },
  {
    name: 'a call that is cancelled while it waits is over',
    action: 'cancel',
    faults: [{ status: 503, headers: { 'retry-after': '30' } }],
    requests: 1,
    outcome: { error: 'cancelled' },
  },
  {
    name: 'the token is asked for at every attempt, and the SDK says who it is',
    action: 'get with tokens',
    faults: ['drop'],
    requests: 2,
    outcome: { ok: book },
    holds: ([first, second]) =>
      first?.headers.authorization === 'Bearer token-1' &&
      second?.headers.authorization === 'Bearer token-2' &&
      /^accord-sdk-(typescript|python)\/\d+\.\d+\.\d+$/.test(first.headers['user-agent'] ?? ''),
  },
  {
    name: 'other contracts are warned of once',
    action: 'get twice',
    faults: [{ digest: 'f'.repeat(64) }, { digest: 'f'.repeat(64) }],
    requests: 2,
    outcome: { ok: book, warnings: 1 },
  },
  {
    name: 'the same contracts are not warned of',
    action: 'get twice',
    faults: [],
    requests: 2,
    outcome: { ok: book, warnings: 0 },
  },
];
