import { type Answer, isInterim } from './answers.ts';
import type { Exchange } from './compared-exchange.ts';
import type { Outcome } from './conversation.ts';

/** What the two checkouts have in common, where an answer shows it. */
export type Common = {
  readonly contracts: boolean;
  readonly changelog: boolean;
  /** Neither has a report of how much of the contracts was tested. */
  readonly report: boolean;
  /** The fields of a GraphQL operation are read one after another, not on several connections. */
  readonly order: boolean;
};

/** A header or body that necessarily differs, and what stands for it in the comparison. */
type Mask = {
  readonly name: string;
  /** Of which targets; all, where it is not said. */
  readonly target?: RegExp;
  readonly applies?: (common: Common) => boolean;
  readonly value: RegExp;
  readonly instead: string;
};

/** All that is not compared; a value of another form than the one that is written here is. */
const masks: readonly Mask[] = [
  { name: 'Date', value: /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/, instead: '<date>' },
  // A valid one that the client sends has another form in the generated requests.
  { name: 'X-Request-Id', value: /^[0-9a-f]{16}-[0-9a-z]+$/, instead: '<id>' },
  { name: 'Content-Length', target: /^\/metrics$/, value: /^\d{4,}$/, instead: '<length>' },
  { name: 'RateLimit', value: /;t=\d+$/, instead: ';t=<seconds>' },
  { name: 'Retry-After', value: /^\d{2,}$/, instead: '<seconds>' },
  // Express makes both from the time at which the file was written, that is, checked out.
  { name: 'ETag', target: /^\/docs\/assets\//, value: /-[0-9a-f]+"$/, instead: '-<time>"' },
  {
    name: 'Last-Modified',
    target: /^\/docs\/assets\//,
    value: /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
    instead: '<date>',
  },
  {
    name: 'Contract-Digest',
    applies: ({ contracts }) => !contracts,
    value: /^[0-9a-f]{64}$/,
    instead: '<digest>',
  },
  ...['Content-Length', 'ETag'].map((name) => ({
    name,
    target: /^\/docs\/changes$/,
    applies: ({ changelog }: Common) => !changelog,
    value: /^.+$/,
    instead: '<of the page>',
  })),
];

function maskedBody(body: string, target: string, common: Common): string {
  if (target === '/metrics' && body.startsWith('# HELP ')) return '<metrics>';
  if (target === '/docs/changes' && !common.changelog) return '<changelog>';
  return common.contracts
    ? body
    : body.replaceAll(/"contractDigest":"[0-9a-f]{64}"/g, '"contractDigest":"<digest>"');
}

/** What came back as text of one character for each byte, in the form in which it is compared. */
export function comparable({ requests }: Exchange, outcome: Outcome, common: Common): string {
  let answered = 0;
  const texts = outcome.answers.map((answer) => {
    const text = maskedAnswer(answer, requests[answered]?.target ?? '', common);
    if (!isInterim(answer.statusLine)) answered++;
    return text;
  });
  const rest = outcome.rest.length > 0 ? [`<besides> ${outcome.rest.toString('latin1')}`] : [];
  return [...texts, ...rest, `<connection ${outcome.end}>`].join('\n');
}

function maskedAnswer(answer: Answer, target: string, common: Common): string {
  const path = target.replace(/^https?:\/\/[^/?#]+/i, '').replace(/[?#].*$/s, '');
  if (!common.report && /^\/docs(\/coverage)?$/.test(path)) return '<a page that shows the report>';
  const lines = answer.headers.map((line) => maskedLine(line, path, common));
  const body = maskedBody(answer.body.toString('latin1'), path, common);
  const raced = common.order || path !== '/graphql' ? undefined : racedErrors(body);
  if (raced !== undefined) {
    const headers = lines.map((line) => line.replace(/^(Content-Length): \d+$/, '$1: <length>'));
    return [answer.statusLine, ...headers, '', raced].join('\n');
  }
  return [answer.statusLine, ...lines, '', body].join('\n');
}

function maskedLine(line: string, path: string, common: Common): string {
  const colon = line.indexOf(': ');
  const name = line.slice(0, colon).toLowerCase();
  const mask = masks.find(
    (each) =>
      each.name.toLowerCase() === name &&
      (each.target?.test(path) ?? true) &&
      (each.applies?.(common) ?? true),
  );
  if (!mask) return line;
  return line.slice(0, colon + 2) + line.slice(colon + 2).replace(mask.value, mask.instead);
}

/** Errors of fields that were read at the same time, without their order; where they leave no data, without places. */
function racedErrors(body: string): string | undefined {
  if (!/^\{"errors":\[\{"message":.*"path":\[.*\}$/s.test(body)) return undefined;
  const { errors, ...rest } = JSON.parse(body);
  // GraphQL answers as soon as the first error has left no data; others may or may not have come by then.
  const shown = [...errors].map(({ message, extensions, ...place }) =>
    JSON.stringify({ message, extensions, ...(rest.data !== null && place) }),
  );
  return `<errors in any order> ${[...new Set(shown)].sort().join()} ${JSON.stringify(rest)}`;
}
