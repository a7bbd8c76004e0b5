import { Agent, request } from 'node:http';

/** How a client is known again: by the position that it sends back, its connection, its token, or not at all. */
export type Way = 'header' | 'connection' | 'token' | 'nothing';

export type PairResults = {
  readonly pairs: number;
  /** Reads that did not show the write before them. */
  readonly stale: readonly string[];
  /** Answers that are none of those that were to be expected. */
  readonly wrong: readonly string[];
};

type Sent = {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** A connection of its own where there is none. */
  readonly agent?: Agent;
};

export type Received = {
  readonly status: number;
  readonly text: string;
  readonly position: string | undefined;
};

export function send({ url, method, path, json, headers, agent }: Sent): Promise<Received> {
  const body = json && JSON.stringify(json);
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, {
      method,
      agent: agent ?? false,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    });
    outgoing.once('error', reject);
    outgoing.once('response', async (incoming) => {
      let text = '';
      try {
        for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
      } catch (error) {
        reject(error);
      }
      const position = incoming.headers['accord-position'];
      resolve({ status: incoming.statusCode ?? 0, text, position: position?.toString() });
    });
    outgoing.end(body);
  });
}

// Milliseconds after which every replica has a book.
const SETTLED = 3000;

/** Clients that each write and then read what they wrote, `pairs` times together. */
export async function writeAndRead(
  urls: readonly [string, string],
  way: Way,
  clients: number,
  pairs: number,
): Promise<PairResults> {
  const [writer, reader] = [urls[0], way === 'header' ? urls[1] : urls[0]];
  const stale: string[] = [];
  const wrong: string[] = [];
  let left = pairs;

  async function client(number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const token = way === 'token' ? { authorization: `Bearer client-${number}` } : {};
    const connection = way === 'connection' ? { agent } : {};
    const made: { readonly id: number; readonly at: number }[] = [];
    for (let i = 0; left-- > 0; i++) {
      const [oldest] = made;
      const isSettled = oldest !== undefined && oldest.at < performance.now() - SETTLED;
      const pair = pairOf(`${way}-${number}-${i}`, i, isSettled ? oldest.id : undefined);
      const written = await send({ url: writer, ...pair.write, headers: token, ...connection });
      const id = pair.idIn(written);
      if (written.status >= 300 || id === undefined || written.position === undefined) {
        wrong.push(`${pair.write.method} ${written.status} ${written.text}`);
        continue;
      }
      if (pair.book === 'made') made.push({ id, at: performance.now() });
      if (pair.book === 'gone') made.shift();
      const headers = {
        ...token,
        ...(way === 'header' && { 'accord-position': written.position }),
      };
      const read = await send({ url: reader, ...pair.read(id), headers, ...connection });
      if (read.status >= 500) wrong.push(`${read.status} ${read.text}`);
      else if (!pair.isShown(read)) stale.push(`${pair.write.method}: ${read.status} ${read.text}`);
    }
    agent.destroy();
  }

  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  return { pairs, stale, wrong };
}

type Pair = {
  readonly write: Pick<Sent, 'method' | 'path' | 'json'>;
  idIn(written: Received): number | undefined;
  read(id: number): Pick<Sent, 'method' | 'path' | 'json'>;
  isShown(read: Received): boolean;
  /** What becomes of the client's books. */
  readonly book?: 'made' | 'gone';
};

/** In turn: a book is made, one that every replica has is replaced and deleted, a user is made by GraphQL. */
function pairOf(name: string, turn: number, book: number | undefined): Pair {
  const path = `/books/${book}`;
  const get = (id: number) => ({ method: 'GET', path: `/books/${id}` });
  const shows = ({ status, text }: Received) => status === 200 && text.includes(name);
  if (turn % 4 === 3) {
    const create = `mutation { createUser(name: "${name}", email: "${name}@a.example") { id } }`;
    const query = (id: number) => `query ($id: ID = ${id}) { user(id: $id) { name } }`;
    return {
      write: { method: 'POST', path: '/graphql', json: { query: create } },
      idIn: ({ text }) => Number(JSON.parse(text).data?.createUser.id) || undefined,
      read: (id) => ({ method: 'POST', path: '/graphql', json: { query: query(id) } }),
      isShown: shows,
    };
  }
  if (book === undefined || turn % 4 === 0) {
    return {
      write: { method: 'POST', path: '/books', json: { title: name, pages: 1 } },
      idIn: ({ text }) => Number(JSON.parse(text).id) || undefined,
      read: get,
      isShown: shows,
      book: 'made',
    };
  }
  if (turn % 4 === 1) {
    return {
      write: { method: 'PUT', path, json: { title: name, pages: 2 } },
      idIn: () => book,
      read: get,
      isShown: shows,
    };
  }
  return {
    write: { method: 'DELETE', path },
    idIn: () => book,
    read: get,
    isShown: ({ status }) => status === 404,
    book: 'gone',
  };
}
