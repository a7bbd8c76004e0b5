import { isJsonType, mediaTypeOf } from '../contract/media-type.ts';
import { ApiError } from '../errors.ts';
import type { Reply } from '../http/exchange.ts';
import { json } from '../json-text.ts';
import type { Random } from '../seeded-random.ts';
import type { MockValues } from './mock-values.ts';
import type { XmlText } from './xml-text.ts';

type Declared = {
  /** The media type or range, as the contract writes it. */
  readonly type: string;
  readonly schema: unknown;
  /** Those that the contract gives, in the order in which they are tried. */
  readonly examples: readonly unknown[];
  /** Makes random values where no example is taken. */
  readonly random?: Random | undefined;
  /** The answer, for those who read why there is none. */
  readonly what: string;
};

/** The body of a mocked answer with its media type; undefined where the schema admits nothing that can be made. */
export function mockBody(
  values: MockValues,
  { type: declared, schema = true, examples, random, what }: Declared,
): Pick<Reply, 'type' | 'body'> | undefined {
  const type = typeIn(declared);
  if (isJsonType(type)) {
    const found = values.first(schema, examples, random);
    return found && { type, body: json(found.value) };
  }
  const texts = examples.filter((value) => typeof value === 'string');
  if (isXml(type)) {
    if (texts[0] !== undefined) return { type, body: texts[0] };
    const found = values.first(schema, examples, random);
    return found && { type, body: xmlBody(values.xml(schema, found.value), what) };
  }
  const isText = type.startsWith('text/');
  // The schema of other types is not of the bytes that are sent.
  const found =
    isText || texts.length === 0 ? values.first(schema, texts, random) : { value: texts[0] };
  if (!found) return undefined;
  const text = typeof found.value === 'string' ? found.value : json(found.value);
  return { type, body: isText ? text : Buffer.from(text) };
}

/** The media type that a mock sends for a declared type or range. */
export function typeIn(declared: string): string {
  const { name: bare } = mediaTypeOf(declared);
  if (!bare.endsWith('/*')) return declared;
  const main = bare.slice(0, -2);
  if (main === '*' || main === 'application') return 'application/json';
  return main === 'text' ? 'text/plain' : `${main}/x-mock`;
}

function xmlBody(made: XmlText, what: string): string {
  if ('text' in made) return made.text;
  const detail = `The mock cannot write XML for ${what}: ${made.fault}.`;
  throw new ApiError('internal-error', { detail });
}

function isXml(type: string): boolean {
  return /[/+]xml$/.test(mediaTypeOf(type).name);
}
