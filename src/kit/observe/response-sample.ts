import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import { violations } from '../contract/response-check.ts';
import type { Noted } from '../http/exchange.ts';
import { splitTarget } from '../http/target.ts';
import { operationOf } from './exchange-log.ts';
import type { Observer } from './guard.ts';

/** Told of an exchange, by its operation and the id of its request, what in it breaks the contract. */
export type OnChecked = (operation: string, id: string, found: readonly string[]) => void;

// A longer body would take its check longer than a request should wait behind it.
const LONGEST = 65_536;

/** Holds a share of all responses, from 0 to 1, against the contract, after they are sent. */
export function createSample(
  contract: Contract,
  share: number,
  onChecked: OnChecked,
): Observer | undefined {
  if (share === 0) return undefined;
  return (request, response) => {
    if (Math.random() >= share) return undefined;
    // Those who answer may change both.
    const { method = '', url = '' } = request;
    const path = splitTarget(url)[0];
    const operation = operationOf(contract.routes, method, path);
    // The pages for people are not in the contract.
    if (operation === 'docs') return undefined;
    const answered = keepAnswer(response);
    return () => {
      const { headers, body } = answered();
      if (body === undefined) return;
      const text = method === 'HEAD' ? '' : body;
      const { statusCode: status } = response;
      const answer = { status, headers, text, json: parsed(text) };
      const id = String((request as Noted).id);
      onChecked(operation, id, violations(contract, method, url, answer));
    };
  };
}

type Answer = { readonly headers: OutgoingHttpHeaders; readonly body: string | undefined };

/** Gives the headers and the body of a response once it is sent; no body where that is long. */
function keepAnswer(response: ServerResponse): () => Answer {
  const { writeHead, write, end } = response;
  let headers: OutgoingHttpHeaders = {};
  const chunks: Buffer[] = [];
  let length = 0;
  const keep = (chunk: unknown) => {
    if (typeof chunk !== 'string' && !Buffer.isBuffer(chunk)) return;
    length += chunk.length;
    if (length > LONGEST) chunks.length = 0;
    else chunks.push(Buffer.from(chunk));
  };
  // The arguments go on as they came; only their union of types is lost. The functions have names because
  // V8 takes one that is written as it is assigned for a method, and keeps all that it refers to for long.
  const keepHead = (status: number, ...rest: unknown[]) => {
    const [given] = rest;
    headers = Array.isArray(given) ? inPairs(given) : {};
    return Reflect.apply(writeHead, response, [status, ...rest]);
  };
  const keepWritten = (chunk: unknown, ...rest: unknown[]) => {
    keep(chunk);
    return Reflect.apply(write, response, [chunk, ...rest]);
  };
  const keepLast = (chunk?: unknown, ...rest: unknown[]) => {
    keep(chunk);
    return Reflect.apply(end, response, [chunk, ...rest]);
  };
  response.writeHead = keepHead;
  response.write = keepWritten;
  response.end = keepLast;
  return () => ({
    headers: { ...response.getHeaders(), ...headers },
    body: length > LONGEST ? undefined : Buffer.concat(chunks).toString(),
  });
}

/** Headers that are names and values in turn, by name. */
function inPairs(head: readonly unknown[]): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (let i = 0; i + 1 < head.length; i += 2) {
    headers[String(head[i]).toLowerCase()] = String(head[i + 1]);
  }
  return headers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
