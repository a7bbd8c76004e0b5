import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

type Book = { readonly id: number; readonly title: string; readonly pages: number };

/** Clients of several instances that send each write again until it is acknowledged. */
export type KeyedLoad = {
  readonly answers: ReadonlyMap<string, number>;
  /** Answers that are not declared, and reads that were not as acknowledged. */
  readonly violations: readonly string[];
  /** When each instance acknowledged a write, by `performance.now()`. */
  readonly acknowledged: readonly (readonly number[])[];
  /** Resolves when every instance has acknowledged a write that is sent from now on. */
  writing(): Promise<void>;
  /** Ends when every write is acknowledged. */
  stop(): Promise<void>;
  /** What an instance lost or altered, and what it has more than once. */
  compare(url: string): Promise<{ readonly lost: string[]; readonly doubled: string[] }>;
};

// Leaves the servers, which share the clients' cores, room to recover.
const PAUSE = 5;

export function startKeyedLoad(
  urls: readonly string[],
  writers: number,
  readers: number,
): KeyedLoad {
  const ledger = new Map<number, string | undefined>();
  /** Books that nobody writes to any more. */
  const settled: (readonly [number, string])[] = [];
  const answers = new Map<string, number>();
  const violations: string[] = [];
  const acknowledged: number[][] = urls.map(() => []);
  let isOver = false;

  async function ask(at: number, method: string, path: string, body?: object, key?: string) {
    const headers = {
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${urls[at]}${path}`, init).catch(() => undefined);
    const status = answer ? answer.status : 0;
    const text = (await answer?.text().catch(() => '')) ?? '';
    const name = status === 0 ? 'broken' : String(status);
    answers.set(name, (answers.get(name) ?? 0) + 1);
    if (status === 503 && !answer?.headers.has('retry-after')) {
      violations.push(`${method} ${path}: 503 without Retry-After`);
    }
    return { status, text };
  }

  /** Sends a write until it is acknowledged, to the next instance each time. */
  async function send(first: number, method: string, path: string, body?: object) {
    const key = method === 'POST' ? randomUUID() : undefined;
    for (let turn = 0; ; turn++) {
      const at = (first + turn) % urls.length;
      const { status, text } = await ask(at, method, path, body, key);
      // An earlier attempt, whose outcome was not known, may have deleted it.
      if ((status >= 200 && status < 300) || (method === 'DELETE' && turn > 0 && status === 404)) {
        acknowledged[at]?.push(performance.now());
        return text;
      }
      if (status !== 503) {
        violations.push(`${method} ${path}: ${status} ${text}`);
        return undefined;
      }
      await sleep(20);
    }
  }

  async function write(writer: number): Promise<void> {
    const first = writer % urls.length;
    const mine: number[] = [];
    for (let i = 0; !isOver; i++) {
      const body = { title: `writer ${writer}, ${i} é😀"\\`, pages: 1 + (i % 1000) };
      const text = await send(first, 'POST', '/books', body);
      if (text === undefined) continue;
      const { id } = JSON.parse(text) as Book; // A 201 carries a book.
      ledger.set(id, text);
      if (i % 3 === 0) settled.push([id, text]);
      else mine.push(id);
      const [changed, deleted] = [mine.at(-1), i % 6 === 5 ? mine.shift() : undefined];
      if (i % 3 === 1 && changed !== undefined) {
        const put = await send(first, 'PUT', `/books/${changed}`, { ...body, pages: 7 });
        if (put !== undefined) ledger.set(changed, put);
      }
      if (deleted !== undefined) {
        await send(first, 'DELETE', `/books/${deleted}`);
        ledger.set(deleted, undefined);
      }
      await sleep(PAUSE);
    }
  }

  async function read(reader: number): Promise<void> {
    while (!isOver) {
      const [id, text] = settled[Math.floor(Math.random() * settled.length)] ?? [0, ''];
      const answer = id ? await ask(reader % urls.length, 'GET', `/books/${id}`) : undefined;
      if (answer && answer.status !== 503 && answer.text !== text) {
        violations.push(`GET /books/${id}: ${answer.status} ${answer.text}, acknowledged ${text}`);
      }
      await sleep(answer?.status === 200 ? PAUSE : 20);
    }
  }

  const running = [
    ...Array.from({ length: writers }, (_, i) => write(i)),
    ...Array.from({ length: readers }, (_, i) => read(i)),
  ];
  return {
    answers,
    violations,
    acknowledged,
    async writing() {
      const now = performance.now();
      // A write takes up to 14 s to be answered, and one that was sent before may be acknowledged later.
      while (!acknowledged.every((times) => (times.at(-2) ?? 0) > now)) await sleep(20);
    },
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
    async compare(url) {
      const books = (await (await fetch(`${url}/books`)).json()) as Book[];
      const stored = new Map(books.map((book) => [book.id, JSON.stringify(book)]));
      const lost = [...ledger]
        .filter(([id, text]) => stored.get(id) !== text)
        .map(([id, text]) => `book ${id}: acknowledged ${text}, stored ${stored.get(id)}`);
      const doubled = books.filter(({ id }) => !ledger.has(id)).map((book) => JSON.stringify(book));
      return { lost, doubled };
    },
  };
}
