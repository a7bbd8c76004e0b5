import {
  type HeaderObject,
  isObject,
  type MediaTypeObject,
  type Referable,
  type ResponseObject,
  resolve,
} from '../contract/openapi-document.ts';
import { ApiError } from '../errors.ts';
import type { HeaderValue, Reply } from '../http/exchange.ts';
import { headerTexts } from '../http/reply.ts';
import { json } from '../json-text.ts';
import { examplesOf } from './contract-examples.ts';
import type { MockValues } from './mock-values.ts';

// These describe how the server sends the message, which it alone knows.
const SERVERS_OWN = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'connection'],
  ...['keep-alive', 'date', 'trailer', 'upgrade', 'x-request-id', 'contract-digest'],
  'x-content-type-options',
]);

/** The headers of a mocked answer: those that are required, and those of which the contract gives an example. */
export function mockHeaders(
  values: MockValues,
  { headers = {} }: ResponseObject,
  what: string,
): Reply['headers'] {
  const made = Object.entries(headers).flatMap(([name, referred]) => {
    if (SERVERS_OWN.has(name.toLowerCase())) return [];
    // The document was validated: this is where a header stands.
    const header = resolve(values.document, referred as Referable<Header>);
    const [media] = Object.values(header.content ?? {});
    const examples = [
      ...examplesOf(values.document, media ?? header),
      ...schemaExamples(values, media?.schema ?? header.schema),
    ];
    // An example of a link leads to another server.
    const isOptional = examples.length === 0 || name.toLowerCase() === 'link';
    if (!header.required && isOptional) return [];
    const found = values.first(media?.schema ?? header.schema, examples);
    const value = media ? json(found?.value) : found?.value;
    // The schema of a header admits what can be written as text.
    if (found && isSendable(name, value as HeaderValue)) return [[name, value as HeaderValue]];
    if (!header.required) return [];
    const detail = `The mock cannot make the header ${name} that the contract demands of ${what}.`;
    throw new ApiError('internal-error', { detail });
  });
  return Object.fromEntries(made);
}

type Header = HeaderObject &
  Pick<MediaTypeObject, 'example' | 'examples'> & {
    readonly content?: Readonly<Record<string, MediaTypeObject>>;
  };

function schemaExamples({ document }: MockValues, schema: Header['schema']): unknown[] {
  const { example, examples = [], default: usual } = Object(schema && resolve(document, schema));
  const all = [example, ...(Array.isArray(examples) ? examples : []), usual];
  return all.filter((value) => value !== undefined);
}

function isSendable(name: string, value: HeaderValue): boolean {
  const isNested = isObject(value) && Object.values(value).some(isObject);
  // RFC 9110, section 5.5.
  return (
    !isNested && headerTexts(name, value).every((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text))
  );
}
