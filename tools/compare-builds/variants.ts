import { createHmac } from 'node:crypto';
import type { Choice } from './choice.ts';
import type { Exchange, Pair } from './compared-exchange.ts';
import { withHeader } from './requests.ts';

/** Settings with which both servers of a pair are started. */
export type Variant = {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Which part of all requests it gets, of those of all variants. */
  readonly share: number;
  /** How many requests a pair answers before it is started anew. */
  readonly round: number;
  /** Headers of the requests that fill the database at the start of a round. */
  readonly filledWith?: readonly Pair[];
  /** What is changed in requests for it. */
  readonly adapt?: (choice: Choice, exchange: Exchange) => Exchange;
};

const SECRET = 'a secret that is long enough for HS256';

function token(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

const LATER = 4_000_000_000;
const ada = token({ sub: 'ada', exp: LATER });
const bearing = (text: string): Pair => ['Authorization', text];
const tokens: readonly Pair[] = [
  ...[bearing(`Bearer ${ada}`), bearing(`Bearer ${ada}`), bearing(`bearer ${ada}`)],
  bearing(`Bearer ${token({ sub: 'alan', exp: LATER })}`),
  bearing(`Bearer ${token({ exp: LATER })}`),
  bearing(`Bearer ${token({ sub: 'ada', exp: 1 })}`),
  bearing(`Bearer ${token({ sub: 'ada' })}`),
  bearing(`Bearer ${ada}x`),
  bearing('Bearer x'),
  bearing(`Basic ${ada}`),
];

export const variants: readonly Variant[] = [
  { name: 'default settings', settings: {}, share: 45, round: 3000 },
  { name: 'without the fast lane', settings: { FAST_LANE: 'off' }, share: 15, round: 3000 },
  {
    name: 'CORS for some, every response checked',
    settings: { CORS_ORIGINS: 'https://example.com,http://localhost:8080', RESPONSE_SAMPLE: '1' },
    share: 12,
    round: 3000,
  },
  { name: 'CORS for all', settings: { CORS_ORIGINS: '*' }, share: 5, round: 3000 },
  {
    name: 'tokens, private contracts',
    settings: { AUTH_SECRET: SECRET, INTROSPECTION: 'off' },
    share: 12,
    round: 3000,
    filledWith: [bearing(`Bearer ${ada}`)],
    adapt: (choice, exchange) =>
      choice.isOnceIn(4) ? exchange : withHeader(exchange, choice.one(tokens)),
  },
  {
    name: 'narrow limits on GraphQL',
    settings: {
      ...{ GRAPHQL_DEPTH: '3', GRAPHQL_COST: '150', GRAPHQL_ALIASES: '2', GRAPHQL_TOKENS: '80' },
      ...{ GRAPHQL_DIRECTIVES: '1', GRAPHQL_FIELDS: '60', GRAPHQL_ERRORS: '1' },
    },
    share: 8,
    round: 3000,
  },
  { name: 'rate limit', settings: { RATE_LIMIT: '200/3600' }, share: 3, round: 300 },
];
