import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { error, middleware } from 'express-openapi-validator';
import { openBooks, type Range, type Stored } from './books.ts';
import { invalid, notAllowed, notFound } from './problem.ts';
import { contractFile, host, port } from './settings.ts';

/** Express with express-openapi-validator, as the two are put together in the latter's documentation. */
const books = await openBooks();
const app = express();
app.disable('x-powered-by');
// The contract's ETag is the version of the record, not a hash of the answer.
app.disable('etag');
app.use(express.json());
app.use(
  middleware({
    apiSpec: contractFile,
    validateRequests: true,
    // The contract's own format, whose text its pattern and bounds check.
    formats: { text: { type: 'string', validate: () => true } },
  }),
);

app.get('/books', async (request, response) => {
  const { books: list, link } = await books.list(request.query as Range);
  if (link) response.set('Link', link);
  response.json(list);
});

app.post('/books', async (request, response) => {
  const { book, tag, location } = await books.create(request.body);
  response.status(201).set({ Location: location, ETag: tag }).json(book);
});

app.get('/books/:id', async (request, response) => found(response, await books.get(idOf(request))));

app.put('/books/:id', async (request, response) =>
  found(response, await books.replace(idOf(request), request.body)),
);

app.delete('/books/:id', async (request, response) => {
  if (await books.remove(idOf(request))) response.status(204).end();
  else response.status(404).json(notFound);
});

function idOf(request: Request): number {
  return Number(request.params.id);
}

function found(response: Response, record: Stored | undefined): void {
  if (record) response.set('ETag', record.tag).json(record.book);
  else response.status(404).json(notFound);
}

// Express knows an error handler by its four parameters.
const onError: ErrorRequestHandler = (thrown, _request, response, _next) => {
  if (thrown instanceof error.MethodNotAllowed) {
    response.status(405).set(thrown.headers).json(notAllowed);
  } else if (thrown instanceof error.BadRequest) {
    const [fault] = thrown.errors;
    response.status(400).json(invalid(fault?.path ?? '/body', fault?.message ?? ''));
  } else {
    response.status(thrown.status ?? 500).json({ message: thrown.message });
  }
};
app.use(onError);
app.listen(port, host);
