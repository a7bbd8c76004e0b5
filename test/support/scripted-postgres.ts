import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

type Row = Readonly<Record<string, string | null>>;

/** The rows of an answer, or the code of a refusal. */
export type Said = readonly Row[] | string;

/** Answers a statement of a session; `connect` and `goodbye` stand for its begin and its end. */
type Script = (sql: string, session: number) => Said | Promise<Said>;

/** The name of a statement that is prepared under one, or the parameters of `connect`. */
type Asked = { readonly session: number; readonly sql: string; readonly name: string };

/** As an answer: the host is silent. */
export const silence = new Promise<never>(() => {});

export type Scripted = Awaited<ReturnType<typeof startScripted>>;

/** A host that speaks as much of PostgreSQL's protocol as the driver does, and answers what a test has it answer. */
export async function startScripted(script: Script, port = 0) {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let sessions = 0;
  const server = createServer((socket) => {
    const session = ++sessions;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    converse(socket, async (sql, name = '') => {
      asked.push({ session, sql, name });
      return script(sql, session);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this kind.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    host,
    address: `postgres://u:p@${host}/d`,
    asked,
    /** In which sessions a statement with this part was asked. */
    sessionsWith: (part: string) =>
      asked.flatMap(({ sql, session }) => (sql.includes(part) ? [session] : [])),
    sessions: () => sessions,
    open: () => sockets.size,
    cut,
    async stop() {
      cut();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Ask = (sql: string, name?: string) => Promise<Said>;

function converse(socket: Socket, ask: Ask): void {
  const statements = new Map<string, string>();
  let [bound = '', isStarted, isSkipping] = ['', false, false];
  let found: readonly Row[] = [];
  let rest = Buffer.alloc(0);
  let turn = Promise.resolve();
  const send = (...messages: readonly Buffer[]) => socket.write(Buffer.concat(messages));

  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isStarted ? 1 : 0;
      const end = rest.length < head + 4 ? Number.POSITIVE_INFINITY : head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const type = isStarted ? rest.toString('latin1', 0, 1) : 'startup';
      const texts = rest.toString('utf8', head + 4, end).split('\0');
      rest = rest.subarray(end);
      isStarted = true;
      turn = turn.then(() => handle(type, texts));
    }
  });

  async function handle(type: string, texts: readonly string[]): Promise<void> {
    const [first = '', second = ''] = texts;
    if (type === 'startup') {
      const said = await ask('connect', texts.join(' '));
      if (typeof said === 'string') socket.end(refusal(said));
      else send(message('R', int32(0)), ready);
    } else if (type === 'X') {
      await ask('goodbye');
      socket.end();
    } else if (type === 'Q') {
      await answerAll(first);
    } else if (type === 'S') {
      isSkipping = false;
      send(ready);
    } else if (!isSkipping) await prepare(type, first, second);
  }

  async function answerAll(text: string): Promise<void> {
    for (const sql of text.split(';')) {
      const said = await ask(sql.trim());
      if (typeof said === 'string') {
        send(refusal(said));
        break;
      }
      send(...(said.length > 0 ? [description(said)] : []), ...said.map(dataRow), complete);
    }
    send(ready);
  }

  async function prepare(type: string, first: string, second: string): Promise<void> {
    if (type === 'P') {
      statements.set(first, second);
      send(message('1'));
    } else if (type === 'B') {
      bound = second;
      send(message('2'));
    } else if (type === 'D') {
      const said = await ask(statements.get(bound) ?? '', bound);
      isSkipping = typeof said === 'string';
      if (typeof said === 'string') send(refusal(said));
      else {
        found = said;
        send(found.length > 0 ? description(found) : message('n'));
      }
    } else if (type === 'E') send(...found.map(dataRow), complete);
  }
}

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  return int32(value).subarray(2);
}

const ready = message('Z', Buffer.from('I'));
const complete = message('C', Buffer.from('SELECT\0'));

function refusal(code: string): Buffer {
  return message('E', Buffer.from(`SERROR\0C${code}\0Mrefused with ${code}\0\0`));
}

// All columns are text.
function description([row = {}]: readonly Row[]): Buffer {
  const names = Object.keys(row);
  const rest = Buffer.concat([int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]);
  const columns = names.flatMap((name) => [Buffer.from(`${name}\0`), rest]);
  return message('T', int16(names.length), ...columns);
}

function dataRow(row: Row): Buffer {
  const values = Object.values(row).map((value) =>
    value === null
      ? int32(-1)
      : Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
  );
  return message('D', int16(values.length), ...values);
}
