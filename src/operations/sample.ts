import type { RequestListener, ServerResponse } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import { violations } from '../contract/response-check.ts';
import { splitTarget } from '../http/target.ts';
import { operationOf } from './watch.ts';

/** Told of an exchange, by its operation and the id of its request, what in it breaks the contract. */
export type OnChecked = (operation: string, id: string, found: readonly string[]) => void;

// A longer body would take its check longer than a request should wait behind it.
const LONGEST = 65_536;

/** Holds a share of all responses, from 0 to 1, against the contract, after they are sent. */
export function createSample(
  contract: Contract,
  share: number,
  onChecked: OnChecked,
): RequestListener | undefined {
  if (share === 0) return undefined;
  return (request, response) => {
    if (Math.random() >= share) return;
    // Those who answer may change both.
    const { method = '', url = '' } = request;
    const path = splitTarget(url)[0];
    const operation = operationOf(contract.routes, method, path);
    // The pages for people are not in the contract.
    if (operation === 'docs') return;
    keepBody(response, (body) => {
      const text = method === 'HEAD' ? '' : body;
      const { statusCode: status } = response;
      const answer = { status, headers: response.getHeaders(), text, json: parsed(text) };
      const id = String(response.getHeader('X-Request-Id'));
      onChecked(operation, id, violations(contract, method, url, answer));
    });
  };
}

/** Gives the body of a response once it is sent, unless it is long. */
function keepBody(response: ServerResponse, onSent: (body: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const keep = (chunk: unknown) => {
    if (typeof chunk !== 'string' && !Buffer.isBuffer(chunk)) return;
    length += chunk.length;
    if (length > LONGEST) chunks.length = 0;
    else chunks.push(Buffer.from(chunk));
  };
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  response.write = (chunk: unknown, ...rest: unknown[]) => {
    keep(chunk);
    // The arguments go on as they came; only their union of types is lost.
    return Reflect.apply(write, response, [chunk, ...rest]);
  };
  response.end = (chunk?: unknown, ...rest: unknown[]) => {
    keep(chunk);
    return Reflect.apply(end, response, [chunk, ...rest]);
  };
  response.once('finish', () => {
    if (length <= LONGEST) onSent(Buffer.concat(chunks).toString());
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
