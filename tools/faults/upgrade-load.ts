import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Clients of REST and GraphQL that send nothing twice, and remember what was acknowledged. */
export type UpgradeLoad = {
  readonly answers: ReadonlyMap<string, number>;
  /** Requests without an answer, or with another than each asks for. */
  readonly failures: readonly string[];
  /** Whether to ask for what only the next release knows; resolves when every client does or does not. */
  askNext(isNext: boolean): Promise<void>;
  acknowledged(): number;
  stop(): Promise<void>;
  /** What of the acknowledged a database has lost or altered. */
  differences(database: string): Promise<string[]>;
};

type Book = { readonly id: number; title: string; pages: number; subtitle?: string };
type Todo = { readonly id: string; title: string; done: boolean };

// Leaves the servers, which share the clients' cores, room to start.
const PAUSE = 10;

export function startUpgradeLoad(url: string, clients: number): UpgradeLoad {
  const answers = new Map<string, number>();
  const failures: string[] = [];
  const books = new Map<number, Book | undefined>();
  const todos = new Map<string, Todo>();
  let acknowledged = 0;
  let isOver = false;
  let isNext = false;
  const turns = new Map<number, number>();

  async function ask(method: string, path: string, expected: number, body?: object) {
    const headers = {
      'content-type': 'application/json',
      ...(method === 'POST' && path !== '/graphql' && { 'idempotency-key': randomUUID() }),
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    try {
      const answer = await fetch(url + path, init);
      const text = await answer.text();
      const name = `${path === '/graphql' ? 'GraphQL' : method} ${answer.status}`;
      answers.set(name, (answers.get(name) ?? 0) + 1);
      if (answer.status === expected) return text === '' ? {} : JSON.parse(text);
      failures.push(`${method} ${path}: ${answer.status} ${text}`);
    } catch (error) {
      answers.set('broken', (answers.get('broken') ?? 0) + 1);
      failures.push(`${method} ${path}: ${error instanceof Error ? error.cause : error}`);
    }
    return undefined;
  }

  async function graphql(query: string, variables: object) {
    const answer = await ask('POST', '/graphql', 200, { query, variables });
    if (answer?.errors) failures.push(`GraphQL ${query}: ${JSON.stringify(answer.errors)}`);
    return answer?.errors ? undefined : answer?.data;
  }

  async function overRest(client: number): Promise<void> {
    const mine: Book[] = [];
    for (let i = 0; !isOver; i++) {
      turns.set(client, i);
      const hasSubtitle = isNext;
      const fields = {
        title: `client ${client}, ${i} é😀"\\`,
        pages: 1 + (i % 1000),
        ...(hasSubtitle && { subtitle: `subtitle ${i}` }),
      };
      const made = await ask('POST', '/books', 201, fields);
      if (made) {
        const book = { id: made.id, ...fields };
        books.set(book.id, book);
        // A release that does not know subtitles leaves them as they are; so does this client.
        if (!hasSubtitle) mine.push(book);
        acknowledged++;
      }
      const changed = mine.at(-1);
      if (i % 3 === 1 && changed) {
        const pages = changed.pages + 1;
        const put = await ask('PUT', `/books/${changed.id}`, 200, { title: changed.title, pages });
        if (put) {
          changed.pages = pages;
          acknowledged++;
        } else books.delete(changed.id);
      }
      const deleted = i % 5 === 4 ? mine.shift() : undefined;
      if (deleted && (await ask('DELETE', `/books/${deleted.id}`, 204))) {
        books.set(deleted.id, undefined);
        acknowledged++;
      }
      const read = mine.at(0);
      if (read) {
        const { title, pages } = (await ask('GET', `/books/${read.id}`, 200)) ?? read;
        if (title !== read.title || pages !== read.pages)
          failures.push(`GET of ${read.id} differs`);
      }
      await ask('GET', `/books?limit=20&sort=-${hasSubtitle ? 'subtitle' : 'pages'}`, 200);
      await sleep(PAUSE);
    }
  }

  async function overGraphql(client: number): Promise<void> {
    for (let i = 0; !isOver; i++) {
      turns.set(client, i);
      const more = isNext ? ' urgent' : '';
      const title = `client ${client}, ${i} é😀"\\`;
      const add = `mutation ($title: String!) { addTodo(title: $title) { id title done${more} } }`;
      const made = (await graphql(add, { title }))?.addTodo;
      if (made) {
        const todo = { id: made.id, title, done: false };
        todos.set(todo.id, todo);
        acknowledged++;
        const mark = 'mutation ($id: ID!) { setTodoDone(id: $id, done: true) { id done } }';
        if (i % 2 === 0 && (await graphql(mark, { id: todo.id }))) {
          todo.done = true;
          acknowledged++;
        }
      }
      await graphql(
        `query ($after: String) { todos(first: 10, after: $after) { id title done${more} } books(first: 3) { id title pages } }`,
        { after: made?.id ?? '1' },
      );
      await sleep(PAUSE);
    }
  }

  const running = Array.from({ length: clients }, (_, i) =>
    i % 2 === 0 ? overRest(i) : overGraphql(i),
  );
  return {
    answers,
    failures,
    acknowledged: () => acknowledged,
    async askNext(is) {
      isNext = is;
      const before = new Map(turns);
      // A turn that is under way may ask as before.
      while ([...turns].some(([client, turn]) => turn === before.get(client))) await sleep(20);
    },
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
    async differences(database) {
      const client = new Client({ connectionString: database });
      await client.connect();
      const stored = await client.query('SELECT * FROM books');
      const found = new Map(stored.rows.map((row) => [Number(row.id), row]));
      const marked = await client.query('SELECT id, title, done FROM todos');
      const there = new Map(marked.rows.map(({ id, title, done }) => [id, `${title} ${done}`]));
      await client.end();
      const said = (row?: Record<string, unknown>) =>
        row && `${row.title} ${row.pages} ${row.subtitle ?? ''}`;
      return [
        ...[...books].flatMap(([id, book]) =>
          said(book) === said(found.get(id)) ? [] : [`book ${id}: ${said(book)}`],
        ),
        ...[...todos].flatMap(([id, { title, done }]) =>
          there.get(id) === `${title} ${done}` ? [] : [`to-do ${id}: ${title} ${done}`],
        ),
      ];
    },
  };
}
