import type { Exchange } from './exchange.ts';

/** Two answers that are not the same. */
export type Difference = {
  /** The settings of the pair of servers. */
  readonly variant: string;
  readonly exchange: Exchange;
  /** The answers of the base and of this tree, masked. */
  readonly before: string;
  readonly after: string;
};

export type Intended = {
  readonly reason: string;
  readonly covers: (difference: Difference) => boolean;
};

/** The differences that are wanted. */
export const intended: readonly Intended[] = [
  {
    reason: 'Content-Range stands before Content-Type: one writer, one order of headers',
    covers: ({ before, after }) =>
      before.startsWith('HTTP/1.1 206 ') && sortedHead(before) === sortedHead(after),
  },
  {
    reason: 'a refused page carries the headers of a problem, not those of the page',
    covers: ({ before, after }) =>
      before.startsWith('HTTP/1.1 412 ') &&
      sortedHead(before.replaceAll(pageHeaders, '')) === sortedHead(after),
  },
  {
    reason: 'a request target has no fragment (RFC 9112, 3.2): with one it names no page',
    covers: ({ exchange, after }) =>
      exchange.requests.some(({ target }) => target.includes('#')) &&
      after.startsWith('HTTP/1.1 404 '),
  },
  {
    reason: 'the refusal of a body that fails is the reply to its request, with its CORS headers',
    covers: ({ before, after }) =>
      before.includes('The request is not valid HTTP.') &&
      before === after.replaceAll(corsHeaders, ''),
  },
];

const pageHeaders = /^(?:Referrer-Policy|Cross-Origin-(?:Opener|Resource)-Policy): .*\r?\n/gm;
const corsHeaders = /^(?:Vary|Access-Control-[A-Za-z-]+): .*\r?\n/gm;

function sortedHead(answer: string): string {
  const [head = '', ...body] = answer.split(/\r?\n\r?\n/);
  return [...head.split(/\r?\n/).sort(), ...body].join('\n');
}
