import type { IncomingMessage, ServerResponse } from 'node:http';

type Texts = { readonly sent: string; readonly answered: string };

/** Gives the texts of an exchange once it has ended; nobody else notices. */
export function capture(request: IncomingMessage, response: ServerResponse): () => Texts {
  const sent: Buffer[] = [];
  const answered: Buffer[] = [];
  // What node:http's parser reads it pushes here. A listener for data would start the flow too early.
  const push = request.push.bind(request);
  request.push = (chunk, encoding) => {
    keep(sent, chunk);
    return push(chunk, encoding);
  };
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  response.write = (chunk: unknown, ...rest: unknown[]) => {
    keep(answered, chunk);
    // The arguments go on as they came; only their union of types is lost.
    return Reflect.apply(write, response, [chunk, ...rest]);
  };
  response.end = (chunk?: unknown, ...rest: unknown[]) => {
    keep(answered, chunk);
    return Reflect.apply(end, response, [chunk, ...rest]);
  };
  return () => ({
    sent: Buffer.concat(sent).toString(),
    answered: Buffer.concat(answered).toString(),
  });
}

function keep(chunks: Buffer[], chunk: unknown): void {
  if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
  else if (Buffer.isBuffer(chunk)) chunks.push(chunk);
}
