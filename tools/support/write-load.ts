import { setTimeout as sleep } from 'node:timers/promises';

type Book = { readonly id: number; readonly title: string; readonly pages: number };

/** Clients that create, replace and delete books, and a ledger of acknowledged writes. */
export type Load = {
  /** Responses by status; `broken` counts requests without one. */
  readonly answers: ReadonlyMap<string, number>;
  /** Responses that were not expected. */
  readonly violations: readonly string[];
  acknowledged(): number;
  /** The time of the next acknowledged write, by `performance.now()`. */
  nextAcknowledged(): Promise<number>;
  stop(): Promise<void>;
  /** Acknowledged writes that a server lost or altered. */
  differences(url: string): Promise<string[]>;
  /** What is acknowledged now, less what is written to later: what of it a server lost or altered. */
  mark(): Mark;
};

type Mark = {
  acknowledged(): number;
  differences(url: string): Promise<string[]>;
};

type Answer = { readonly status: number; readonly retryAfter: string | null };

const isPolite = ({ status, retryAfter }: Answer) => status === 503 && retryAfter !== null;

/** Starts the clients. Besides 2xx they expect 503 with Retry-After, unless told otherwise. */
export function startLoad(
  url: string,
  clients: number,
  isExpected: (answer: Answer, method: string) => boolean = isPolite,
): Load {
  const ledger = new Map<number, string | undefined>();
  // A write that was not acknowledged may or may not be stored.
  const uncertain = new Set<number>();
  const answers = new Map<string, number>();
  const marks: Map<number, string | undefined>[] = [];
  const violations: string[] = [];
  let waiting: ((at: number) => void)[] = [];
  let acknowledged = 0;
  let isOver = false;

  async function write(name: string): Promise<void> {
    const mine: number[] = [];
    for (let i = 0; !isOver; i++) {
      const id = i % 5 === 3 ? mine.at(-1) : i % 5 === 4 ? mine.pop() : undefined;
      const method = id === undefined ? 'POST' : i % 5 === 3 ? 'PUT' : 'DELETE';
      const body = JSON.stringify({ title: `${name} ${i} é😀"\\`, pages: 1 + (i % 1000) });
      if (id !== undefined) uncertain.add(id);
      for (const mark of marks) mark.delete(id ?? 0);
      const answer = await ask(url, method, id, body);
      const status = answer ? String(answer.status) : 'broken';
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (!answer?.ok) {
        if (answer && !isExpected(answer, method)) {
          violations.push(`${method} ${status}: ${answer.text}`);
        }
        await sleep(20);
        continue;
      }
      // A 201 and a 200 carry a book.
      const key = id ?? (JSON.parse(answer.text) as Book).id;
      ledger.set(key, method === 'DELETE' ? undefined : answer.text);
      uncertain.delete(key);
      if (method === 'POST') mine.push(key);
      acknowledged++;
      for (const resolve of waiting.splice(0)) resolve(performance.now());
    }
  }

  const running = Array.from({ length: clients }, (_, i) => write(`client ${i}:`));
  return {
    answers,
    violations,
    acknowledged: () => acknowledged,
    nextAcknowledged: () => new Promise((resolve) => (waiting = [...waiting, resolve])),
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
    differences: (from) =>
      differing(from, new Map([...ledger].filter(([id]) => !uncertain.has(id)))),
    mark() {
      const mark = new Map([...ledger].filter(([id]) => !uncertain.has(id)));
      marks.push(mark);
      return { acknowledged: () => mark.size, differences: (from) => differing(from, mark) };
    },
  };
}

async function differing(
  from: string,
  ledger: ReadonlyMap<number, string | undefined>,
): Promise<string[]> {
  const books = (await (await fetch(`${from}/books`)).json()) as Book[];
  const stored = new Map(books.map((book) => [book.id, JSON.stringify(book)]));
  return [...ledger]
    .filter(([id, text]) => stored.get(id) !== text)
    .map(([id, text]) => `book ${id}: acknowledged ${text}, stored ${stored.get(id)}`);
}

async function ask(url: string, method: string, id: number | undefined, body: string) {
  try {
    const response = await fetch(`${url}/books${id === undefined ? '' : `/${id}`}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: method === 'DELETE' ? null : body,
    });
    const { ok, status, headers } = response;
    return { ok, status, retryAfter: headers.get('retry-after'), text: await response.text() };
  } catch {
    return undefined;
  }
}
