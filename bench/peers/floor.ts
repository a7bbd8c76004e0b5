import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { contractDialect } from '../dialects.ts';
import { invalid, notAllowed, notFound } from './problem.ts';
import { databaseUrl, host, port } from './settings.ts';
import { openFile } from './sqlite-database.ts';

/**
 * The least that a server can do: node:http, the SQL that Accord runs, and no more of the contract than
 * the cases need, checked by hand.
 */
const db = openFile(databaseUrl);
const record = "json_object('id', id, 'title', title, 'pages', pages)";
const returning = `RETURNING id, version, ${record} AS json`;
const get = db.prepare(`SELECT version, ${record} AS json FROM books WHERE id = ?`);
const list = db.prepare(
  `SELECT json_group_array(${record}) AS json, count(*) AS count, max(id) AS last
   FROM (SELECT * FROM books WHERE id > ? ORDER BY id LIMIT ?)`,
);
const beyond = db.prepare('SELECT 1 FROM books WHERE id > ? LIMIT 1');
const insert = db.prepare(`INSERT INTO books (title, pages) VALUES (?, ?) ${returning}`);
const update = db.prepare(
  `UPDATE books SET title = ?, pages = ?, version = version + 1 WHERE id = ? ${returning}`,
);
const shown = db.prepare(
  `SELECT json_object('id', CAST(id AS TEXT), 'title', title, 'pages', pages) AS json
   FROM books WHERE id = ?`,
);
const remove = db.prepare('DELETE FROM books WHERE id = ?');

type Row = { readonly id: number; readonly version: number; readonly json: string };
type Headers = Record<string, string | number>;

function reply(response: ServerResponse, status: number, json: string, headers: Headers = {}) {
  headers['Content-Type'] = 'application/json';
  headers['Content-Length'] = Buffer.byteLength(json);
  response.writeHead(status, headers).end(json);
}

const absent = JSON.stringify(notFound);
const refused = JSON.stringify(notAllowed);

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { method, url = '' } = request;
  if (url === '/books' || url.startsWith('/books?')) {
    if (method === 'GET') answerList(url, response);
    else if (method === 'POST') {
      withBook(request, response, (title, pages) => {
        const { id, version, json } = insert.get(title, pages) as Row;
        reply(response, 201, json, { Location: `/books/${id}`, ETag: `"${version}"` });
      });
    } else reply(response, 405, refused, { Allow: 'GET, HEAD, POST' });
    return;
  }
  if (url === '/graphql') {
    answerOperation(request, response);
    return;
  }
  const id = url.startsWith('/books/') ? Number(url.slice(7)) : 0;
  if (!(id >= 1)) reply(response, 404, absent);
  else if (method === 'GET') answerRow(response, get.get(id) as Row | undefined);
  else if (method === 'PUT') {
    withBook(request, response, (title, pages) =>
      answerRow(response, update.get(title, pages, id) as Row | undefined),
    );
  } else if (method === 'DELETE') {
    if (remove.run(id).changes > 0) response.writeHead(204).end();
    else reply(response, 404, absent);
  } else reply(response, 405, refused, { Allow: 'DELETE, GET, HEAD, PUT' });
}

function answerRow(response: ServerResponse, row: Row | undefined): void {
  if (row) reply(response, 200, row.json, { ETag: `"${row.version}"` });
  else reply(response, 404, absent);
}

function answerList(url: string, response: ServerResponse): void {
  const query = new URLSearchParams(url.slice(7));
  const limit = Number(query.get('limit') ?? -1);
  const { json, count, last } = list.get(Number(query.get('after') ?? 0), limit) as Row &
    Record<'count' | 'last', number>;
  const isLast = count !== limit || !beyond.get(last);
  const link = isLast ? {} : { Link: `</books?limit=${limit}&after=${last}>; rel="next"` };
  reply(response, 200, json, link);
}

/** There is no GraphQL here: the one document of the cases that it knows is a name for a statement. */
function answerOperation(request: IncomingMessage, response: ServerResponse): void {
  withJson(request, ({ query, variables }) => {
    if (query !== contractDialect.documents.byVariables) {
      reply(response, 400, JSON.stringify(invalid('/body/query', 'is not known')));
      return;
    }
    const row = shown.get(Number(Object(variables).id)) as Row | undefined;
    reply(response, 200, `{"data":{"book":${row?.json ?? null}}}`);
  });
}

function withJson(
  request: IncomingMessage,
  then: (body: Readonly<Record<string, unknown>>) => void,
): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => then(JSON.parse(Buffer.concat(chunks).toString())));
}

function withBook(
  request: IncomingMessage,
  response: ServerResponse,
  then: (title: string, pages: number) => void,
): void {
  withJson(request, ({ title, pages }) => {
    if (typeof title !== 'string' || title.length < 1 || title.length > 200) {
      reply(response, 400, JSON.stringify(invalid('/body/title', 'must be a line of text')));
    } else if (
      typeof pages !== 'number' ||
      !Number.isInteger(pages) ||
      pages < 1 ||
      pages > 1_000_000
    ) {
      reply(response, 400, JSON.stringify(invalid('/body/pages', 'must be an integer')));
    } else then(title, pages);
  });
}

createServer(answer).listen(port, host);
