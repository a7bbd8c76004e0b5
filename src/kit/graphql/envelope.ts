import { ApiError, invalid } from '../errors.ts';
import { jsonOf, jsonText, readJsonBytes } from '../http/body.ts';
import { lossIn } from '../http/exact-json.ts';
import type { Exchange } from '../http/exchange.ts';
import { type ExactJson, exactNumbers, nestsDeeper } from './exact-numbers.ts';
import { maxLevels } from './limits/definitions.ts';

/** A GraphQL request: `query`, `operationName`, `variables`, `extensions`. */
export type Envelope = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly rounded: ExactJson['rounded'];
};

export type EnvelopeOptions = {
  /** What makes a value no GraphQL request, by the REST contract. */
  readonly envelopeFaults: (value: unknown) => readonly string[];
  /** Whether variables may be lists and objects: those are coerced recursively. */
  readonly takesNested: boolean;
};

/** Reads the body of POST, or the query string of GET. */
export async function readEnvelope(
  exchange: Exchange,
  { envelopeFaults, takesNested }: EnvelopeOptions,
): Promise<Envelope> {
  const { value, rounded } =
    exchange.method === 'POST' ? ofBody(await readBody(exchange)) : ofQuery(exchange);
  const faults = envelopeFaults(value);
  if (faults.length > 0) throw new ApiError('invalid-request', { detail: faults.join(', ') });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('/body', 'must be an object');
  }
  if (takesNested && nestsDeeper(Object(value).variables, maxLevels)) {
    throw invalid('/body/variables', `must not nest more than ${maxLevels} levels deep`);
  }
  // Just found to be an object.
  return { body: value as Envelope['body'], rounded };
}

function readBody(exchange: Exchange): Promise<Buffer> {
  // URLSearchParams drops one question mark at the start, which is this one.
  const [unknown] = exchange.query && new URLSearchParams(`?${exchange.query}`).keys();
  if (unknown !== undefined) {
    throw invalid(`/query/${unknown.slice(0, 100)}`, 'is not a parameter of this operation');
  }
  return readJsonBytes(exchange);
}

function ofBody(bytes: Buffer): ExactJson {
  const text = jsonText(bytes);
  return exactNumbers(text, jsonOf(text, 'rounded'));
}

const texts = ['query', 'operationName'];
const objects = ['variables', 'extensions'];

function ofQuery({ query, request }: Exchange): ExactJson {
  // Browsers tell that a link, an image or a form makes the request and not a script: no such request is answered, so
  // that no other site can have its visitors ask with their credentials.
  if (/^(navigate|no-cors)$/.test(String(request.headers['sec-fetch-mode']))) {
    throw invalid('/headers/sec-fetch-mode', 'must be cors or same-origin: a script asks by GET');
  }
  const value: Record<string, unknown> = {};
  let rounded: ExactJson['rounded'];
  for (const [name, text] of parametersOf(query)) {
    if (Object.hasOwn(value, name)) throw invalid(`/query/${name}`, 'must not be sent twice');
    if (texts.includes(name)) value[name] = text;
    else if (objects.includes(name)) {
      const json = parameterOf(name, text);
      value[name] = json.value;
      if (name === 'variables') rounded = json.rounded;
    } else {
      throw invalid(`/query/${name.slice(0, 100)}`, 'is not a parameter of this operation');
    }
  }
  return { value, rounded };
}

function parametersOf(query: string): URLSearchParams {
  try {
    decodeURIComponent(query);
  } catch {
    throw invalid('/query', 'is not percent-encoded UTF-8');
  }
  // As above.
  return new URLSearchParams(`?${query}`);
}

function parameterOf(name: string, text: string): ExactJson {
  try {
    const parsed: unknown = JSON.parse(text);
    if (lossIn(text, parsed, 'rounded') === undefined) return exactNumbers(text, parsed);
  } catch {}
  throw invalid(`/query/${name}`, 'is not valid JSON without repeated names');
}
