import { type Exchange, LAST_DATE, LAST_TAG } from './compared-exchange.ts';

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
    reason:
      'headers of a reply stand in one order: common ones first, Content-Type and length last',
    covers: ({ before, after }) =>
      /^HTTP\/1\.1 (206|412) /.test(before) && sortedHead(before) === sortedHead(after),
  },
  {
    reason: 'graphiql.js serves an API without example operations, too',
    covers: ({ exchange }) =>
      exchange.requests.some(({ target }) => target.includes('graphiql.js')),
  },
  {
    reason:
      'W/W/"…" is no entity tag (RFC 9110, 8.8.3); the tag and date last seen differ after such a request',
    covers: ({ exchange }) =>
      exchange.requests.some(({ target }) => target.startsWith('/docs/assets/')) &&
      exchange.pieces.some((piece) => piece.includes(LAST_TAG) || piece.includes(LAST_DATE)),
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
      before.replaceAll(corsHeaders, '') === after.replaceAll(corsHeaders, ''),
  },
];

const corsHeaders = /^(?:Vary|Access-Control-[A-Za-z-]+): .*\r?\n/gm;

function sortedHead(answer: string): string {
  const [head = '', ...body] = answer.split(/\r?\n\r?\n/);
  return [...head.split(/\r?\n/).sort(), ...body].join('\n');
}
