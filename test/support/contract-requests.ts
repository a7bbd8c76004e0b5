import fc from 'fast-check';
import { parameterText, type Sendable } from '../../src/kit/cli/test/sampled-parameter.ts';
import type { Contract } from '../../src/kit/contract/contract.ts';
import { type Document, isObject, resolve } from '../../src/kit/contract/openapi-document.ts';
import type { Operation, Parameter } from '../../src/kit/contract/operation.ts';
import type { WireRequest } from './lane-requests.ts';

/** Requests derived from a contract: valid ones, near misses, and what is absent, empty, repeated or unknown. */
export function requestsOf(contract: Contract): fc.Arbitrary<WireRequest> {
  return fc.oneof(...contract.operations.map((operation) => requestOf(contract, operation)));
}

type Schema = Readonly<Record<string, unknown>>;
type Pair = readonly [name: string, value: string];

function requestOf({ document }: Contract, operation: Operation): fc.Arbitrary<WireRequest> {
  const parameters = operation.parameters.map((each) => ({
    ...each,
    schema: schemaOf(document, each.object),
  }));
  const among = (place: string) => parameters.filter((each) => each.in === place);
  const pairs = (place: string, encode: (text: string) => string, ...odd: string[]) => {
    const each = among(place).map((parameter) =>
      times(textOf(document, parameter, encode, odd), parameter.required).map((texts) =>
        texts.map((text): Pair => [parameter.name, text]),
      ),
    );
    return fc.tuple(...each).map((all) => all.flat());
  };
  const values = Object.fromEntries(
    among('path').map((parameter) => [
      parameter.name,
      textOf(document, parameter, encodeURIComponent),
    ]),
  );
  const { body, bodySchema } = operation;
  return fc
    .record({
      method: rarely(
        fc.constant(operation.method),
        fc.oneof(fc.constant('HEAD'), fc.constantFrom(...methods)),
      ),
      path: fc
        .record(values)
        .map((texts) =>
          operation.path.replaceAll(/\{([^}]*)\}/g, (_, name) => String(texts[name])),
        ),
      query: pairs('query', encodeURIComponent).chain((given) => queryOf(given)),
      headers: pairs('header', (text) => text, ' 1', '0x10', '1, 2', '+1', 'from=1, to=5'),
      cookies: pairs('cookie', (text) => text, '"1"', 'from,1', '1,2'),
      type: rarely(fc.constant('application/json'), fc.constantFrom('text/plain', '')),
      body: body
        ? bodyOf(document, Object(bodySchema))
        : rarely(fc.constant(undefined), fc.constant('{}')),
      isChunked: rarely(fc.constant(false), fc.constant(true)),
    })
    .map(({ path, query, headers, cookies, type, body, ...rest }) => ({
      ...rest,
      target: path + query,
      headers: [
        ...headers,
        ...cookies.map(([name, text]): Pair => ['Cookie', named(name, text)]),
        ...(body === undefined ? [] : [['Content-Type', type] as const]),
      ],
      body: body === undefined ? undefined : Buffer.from(body),
    }));
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

function rarely<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** A value once, or not at all, or twice. */
function times<T>(value: fc.Arbitrary<T>, required: boolean): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: required ? 20 : 4, arbitrary: value.map((each) => [each]) },
    { weight: required ? 2 : 4, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.tuple(value, value).map((both) => [...both]) },
  );
}

function schemaOf(document: Document, parameter: object): Schema {
  const { schema, content = {} } = Object(parameter);
  const [media] = Object.values(content);
  return resolve(document, schema ?? Object(media).schema);
}

const oddTexts = [
  ...['', '0', '01', '-1', '1e1', '1.0', '%31', '%20', '1%20', 'null', 'true', '"a"', '[]', '{}'],
  ...[
    'a,b',
    'a%2Cb',
    'a=b',
    'a%26b',
    '__proto__',
    'constructor',
    '%ff',
    '%',
    '%00',
    'a/b',
    'a%2Fb',
  ],
  ...[
    '9007199254740993',
    '9223372036854775807',
    '2147483648',
    'x'.repeat(300),
    'A',
    '%F0%9F%98%80',
  ],
];

/** The text of a parameter, mostly valid; in the styles that name their parts, with the names. */
function textOf(
  document: Document,
  parameter: Parameter & { readonly schema: Schema },
  encode: (text: string) => string,
  odd: readonly string[] = [],
): fc.Arbitrary<string> {
  const { schema, mediaType, in: place } = parameter;
  const isTyped = ['oneOf', 'enum', 'allOf', 'anyOf'].some((key) => key in schema);
  const valid = admitted(document, isTyped ? schema : { type: 'string', ...schema }).map(
    (value) => {
      if (mediaType !== undefined) return encode(JSON.stringify(value));
      const isStyled =
        isObject(value) || parameter.style === 'label' || parameter.style === 'matrix';
      if (!isStyled) return encode(String(value));
      const text = parameterText(parameter, sendable(value));
      return place === 'query' || place === 'cookie' ? `=${text}` : text;
    },
  );
  return fc.oneof(
    { weight: 14, arbitrary: valid },
    { weight: 1, arbitrary: fc.constantFrom(...oddTexts, ...odd) },
  );
}

/** Texts that begin with `=` have their names. */
function named(name: string, text: string): string {
  return text.startsWith('=') ? text.slice(1) : `${name}=${text}`;
}

/** A value without what no style can express. */
function sendable(value: unknown): Sendable {
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    isObject(each) ? JSON.stringify(each) : String(each),
  ]);
  return Array.isArray(value)
    ? entries.map(([, each]) => String(each))
    : Object.fromEntries(entries);
}

const unknown = ['x=1', '=1', '&', 'x', '[a]=1', '%5Ba%5D=1', 'constructor=1', '__proto__[x]=1'];

function queryOf(pairs: readonly Pair[]): fc.Arbitrary<string> {
  const texts = pairs.map(([name, value]) => named(encodeURIComponent(name), value));
  const near = pairs.flatMap(([name, value]) =>
    ['[]', '[x]', '%26%5B', '%20'].map((end) => `${name}${end}=${value}`),
  );
  return fc
    .tuple(
      fc.shuffledSubarray(texts, { minLength: texts.length }),
      rarely(fc.constant(undefined), fc.constantFrom(...unknown, ...near, ...texts.slice(0, 1))),
    )
    .map(([all, more]) => (more === undefined ? all : [...all, more]))
    .map((all) => (all.length === 0 ? '' : `?${all.join('&')}`));
}

const oddValues = [null, true, 0, -1, 1.5, 1e19, '', 'a', '\0', [], {}, [null], { a: { b: 1 } }];
const oddBodies = ['', '{', 'null', '1', '"ab"', '[]', '{}', '{"a":1,"a":2}', '\ufeff{}', ' {} '];

/** The text of a body: of a valid value, of one with a fault somewhere in it, or of something else. */
function bodyOf(document: Document, schema: Schema): fc.Arbitrary<string> {
  const valid = admitted(document, schema);
  const faulty = fc
    .tuple(valid, fc.nat(), fc.nat(), fc.constantFrom(...oddValues), fc.constantFrom(...changes))
    .map(([value, which, key, odd, change]) => {
      const holders = objectsIn(value);
      const holder = holders[which % holders.length];
      if (!holder) return odd;
      change(holder, Object.keys(holder)[key % Object.keys(holder).length] ?? 'x', odd);
      return value;
    });
  return fc.oneof(
    { weight: 10, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: faulty.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...oddBodies) },
  );
}

type Change = (holder: Record<string, unknown>, key: string, value: unknown) => void;
const changes: readonly Change[] = [
  (holder, key, value) => Object.assign(holder, { [key]: value }),
  (holder, key) => Reflect.deleteProperty(holder, key),
  (holder, key, value) => Object.assign(holder, { [`${key}x`]: value }),
  (holder) => Object.assign(holder, manyMembers(101)),
  (holder) => Object.assign(holder, manyMembers(130)),
];

function manyMembers(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, i]));
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (!isObject(value)) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value, ...inner];
}

/** Values that a schema mostly admits; what is read-only is there at times. */
function admitted(document: Document, referred: unknown, depth = 0): fc.Arbitrary<unknown> {
  const schema: Schema = resolve(document, Object(referred));
  const { type, pattern, items, oneOf, allOf } = schema;
  // A schema that demands itself has no end.
  if (depth > 8) return fc.constant(null);
  const inner = (each: unknown) => admitted(document, each, depth + 1);
  if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(oneOf)) return fc.oneof(...withKind(schema, oneOf.map(inner)));
  if (Array.isArray(allOf)) {
    return fc.tuple(...allOf.map(inner)).map((parts) => Object.assign({}, ...parts));
  }
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => inner({ ...schema, type: each })));
  if (type === 'object') return recordOf(schema, inner, depth);
  if (type === 'array') return fc.array(inner(items), { maxLength: depth > 2 ? 0 : 3 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'integer' || type === 'number') return numberOf(schema, type);
  if (type !== 'string') return fc.jsonValue({ maxDepth: 2 });
  if (typeof pattern === 'string') return textMatching(new RegExp(pattern, 'u'));
  const { minLength = 0, maxLength = 12 } = Object(schema);
  const unit = rarely(
    fc.constantFrom('a', 'b', '1', '-', '.'),
    fc.constantFrom('é', '😀', ' ', '+'),
  );
  return fc.array(unit, { minLength, maxLength }).map((units) => units.join(''));
}

/** As short as the pattern allows; any text where fast-check does not know the pattern. */
function textMatching(pattern: RegExp): fc.Arbitrary<string> {
  for (const options of [{ maxLength: 8 }, {}]) {
    try {
      return fc.stringMatching(pattern, options);
    } catch {}
  }
  return fc.string();
}

/** The discriminator of each of several schemas, mostly its own. */
function withKind({ discriminator }: Schema, values: fc.Arbitrary<unknown>[]) {
  const { propertyName, mapping } = Object(discriminator);
  if (propertyName === undefined) return values;
  const kinds = Object.keys(Object(mapping));
  if (kinds.length === 0) return values;
  return values.map((value, i) =>
    fc
      .tuple(value, rarely(fc.constant(kinds[i]), fc.constantFrom(...kinds, 'other', undefined)))
      .map(([fields, kind]) => ({ ...Object(fields), [propertyName]: kind })),
  );
}

function numberOf(schema: Schema, type: 'integer' | 'number'): fc.Arbitrary<number> {
  const { multipleOf = type === 'integer' ? 1 : 0.5 } = Object(schema);
  const { minimum, exclusiveMinimum = -100, maximum, exclusiveMaximum = 1000 } = Object(schema);
  const least = Math.ceil((minimum ?? exclusiveMinimum) / multipleOf);
  const most = Math.floor((maximum ?? exclusiveMaximum) / multipleOf);
  const factor = rarely(
    fc.integer({ min: least, max: most }),
    fc.constantFrom(least - 1, most + 1),
  );
  return factor.map((each) => each * multipleOf);
}

function recordOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  inner: (schema: unknown) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(Object(properties)).filter(
    ([name]) => depth < 4 || Object(required).includes(name),
  );
  const requiredKeys = fields
    .filter(([name, field]) => Object(required).includes(name) && !Object(field).readOnly)
    .map(([name]) => name);
  const all = fc.record(Object.fromEntries(fields.map(([name, each]) => [name, inner(each)])), {
    requiredKeys,
  });
  const readOnly = fields.filter(([, field]) => Object(field).readOnly).map(([name]) => name);
  const own = fc.tuple(all, fc.nat({ max: 3 })).map(([known, keep]) => {
    if (keep > 0) for (const name of readOnly) delete known[name];
    return known;
  });
  const isOpen = additionalProperties === true || isObject(additionalProperties);
  if (!isOpen) return own;
  const more = fc.dictionary(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
    inner(additionalProperties),
    { maxKeys: 3 },
  );
  return fc.tuple(more, own).map(([others, known]) => ({ ...others, ...known }));
}
