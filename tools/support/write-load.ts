import { setTimeout as sleep } from 'node:timers/promises';

type Book = { readonly id: number; readonly title: string; readonly pages: number };

/** Clients that create, replace and delete books without a pause, and a ledger of what they were told. */
export type Load = {
  /** How often each status was answered; `broken` counts requests without an answer. */
  readonly answers: ReadonlyMap<string, number>;
  /** Answers that nobody may give. */
  readonly violations: readonly string[];
  acknowledged(): number;
  /** When the next write from now on is acknowledged, as `performance.now()` has it. */
  nextAcknowledged(): Promise<number>;
  stop(): Promise<void>;
  /** What the ledger has and the server at this address has not, or has otherwise. */
  differences(url: string): Promise<string[]>;
};

type Answer = { readonly status: number; readonly retryAfter: string | null };

const isPolite = ({ status, retryAfter }: Answer) => status === 503 && retryAfter !== null;

/** Starts the clients. Beside 2xx they take only what is expected: 503 with Retry-After, if not said. */
export function startLoad(
  url: string,
  clients: number,
  isExpected: (answer: Answer, method: string) => boolean = isPolite,
): Load {
  const ledger = new Map<number, string | undefined>();
  // Either outcome is right for a write that was not acknowledged.
  const uncertain = new Set<number>();
  const answers = new Map<string, number>();
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
      // The contract has a book in these answers.
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
    async differences(from) {
      const books = (await (await fetch(`${from}/books`)).json()) as Book[];
      const stored = new Map(books.map((book) => [book.id, JSON.stringify(book)]));
      return [...ledger]
        .filter(([id, text]) => !uncertain.has(id) && stored.get(id) !== text)
        .map(([id, text]) => `book ${id}: acknowledged ${text}, stored ${stored.get(id)}`);
    },
  };
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
