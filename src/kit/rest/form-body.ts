import type { Document, EncodingObject, MediaTypeObject } from '../contract/openapi-document.ts';
import { invalid } from '../errors.ts';
import { jsonOf } from '../http/body.ts';
import { isJsonName, mediaTypeOf } from '../http/media-type.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema, typesOf } from './schema-parts.ts';
import { valueOfText } from './text-value.ts';

/** A name of a form with what was sent for it: text, or a value that needs no more reading, such as a file. */
export type Field = { readonly name: string } & (
  | { readonly text: string }
  | { readonly text?: undefined; readonly value: unknown }
);

type Fields = readonly Field[];
type Reader = { readonly document: Document; readonly left: Map<string, Field[]> };

/** The fields of an `application/x-www-form-urlencoded` text. */
export function urlEncodedFields(text: string): Field[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const mark = pair.indexOf('=');
      const [name, value] = mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
      return { name: decoded(name), text: decoded(value) };
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('/body', 'has a percent-encoding that is malformed or not of UTF-8');
  }
}

/** The object that the fields of a form are, each property read by its schema and its encoding. */
export function formValue(
  document: Document,
  { schema, encoding = {} }: MediaTypeObject,
  fields: Fields,
): Record<string, unknown> {
  const reader = { document, left: Map.groupBy(fields, ({ name }) => name) };
  const declared = propertiesOf(document, schema);
  const members = [...declared].flatMap(([name, property]) => {
    const value = propertyValue(
      reader,
      name,
      property,
      Object.hasOwn(encoding, name) ? encoding[name] : {},
    );
    return value === undefined ? [] : [[name, value] as const];
  });
  const additional = additionalOf(document, schema);
  // The schema says whether there may be others.
  const others = [...reader.left].map(([name, all]) => {
    const values = all.map((field) => fieldValue(document, field, additional, {}));
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  // Object.fromEntries makes own members also of names such as __proto__.
  return Object.fromEntries([...members, ...others]);
}

const scalars = ['string', 'integer', 'number', 'boolean'];
const delimiters: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function propertyValue(
  reader: Reader,
  name: string,
  schema: Schema,
  encoding: EncodingObject = {},
): unknown {
  const { document } = reader;
  const types = typesOf(document, schema);
  // OpenAPI: contentType counts only where neither of these is given.
  const isStyled = encoding.style !== undefined || encoding.explode !== undefined;
  const { style = 'form', explode = style === 'form' } = encoding;
  if (isStyled && style === 'deepObject') return deepObject(reader, name, schema);
  if (isStyled && explode && types.has('object') && !types.has('string')) {
    return explodedObject(reader, schema);
  }
  const fields = taken(reader, name);
  const [first, second] = fields;
  if (!first) return undefined;
  if (
    isStyled &&
    !explode &&
    first.text !== undefined &&
    (types.has('array') || types.has('object'))
  ) {
    if (second) throw twice(name);
    const texts = first.text.split(delimiters[style] ?? ',');
    return types.has('array')
      ? texts.map((text) => valueOfText(document, itemsOf(document, schema), text))
      : objectOf(document, schema, texts);
  }
  const isList = types.has('array') && (second || !scalars.some((type) => types.has(type)));
  if (isList) return arrayValue(document, fields, schema, encoding);
  if (second) throw twice(name);
  return fieldValue(document, first, schema, encoding);
}

function taken({ left }: Reader, name: string): Fields {
  const fields = left.get(name) ?? [];
  left.delete(name);
  return fields;
}

function arrayValue(document: Document, fields: Fields, schema: Schema, encoding: EncodingObject) {
  const items = itemsOf(document, schema);
  const values = fields.map((field) => fieldValue(document, field, items, encoding));
  const [first, second] = values;
  // A part of JSON may hold the whole array.
  const isWhole =
    second === undefined && Array.isArray(first) && !typesOf(document, items).has('array');
  return isWhole ? first : values;
}

function fieldValue(
  document: Document,
  field: Field,
  schema: Schema,
  { contentType }: EncodingObject,
): unknown {
  if (field.text === undefined) return field.value;
  const types = typesOf(document, schema);
  const isJson = contentType
    ? isJsonName(mediaTypeOf(contentType).name)
    : // OpenAPI: the default of an object is application/json.
      (types.has('object') || types.has('array')) && !types.has('string');
  if (!isJson) return valueOfText(document, schema, field.text);
  return jsonOf(field.text, 'exact', `/body/${field.name}`);
}

/** Names and values in turn. */
function objectOf(document: Document, schema: Schema, texts: readonly string[]): unknown {
  const properties = propertiesOf(document, schema);
  const members = texts.flatMap((name, i) =>
    i % 2 === 0 ? [[name, valueOfText(document, properties.get(name), texts[i + 1] ?? '')]] : [],
  );
  return Object.fromEntries(members);
}

/** An object whose members are fields of their own. */
function explodedObject(reader: Reader, schema: Schema): unknown {
  const members = [...propertiesOf(reader.document, schema)].flatMap(([name, property]) => {
    const value = propertyValue(reader, name, property);
    return value === undefined ? [] : [[name, value] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

type Deep = { readonly path: readonly string[]; readonly field: Field };
const DEEPEST = 10;

/** An object whose members are fields such as `name[member]`, at any depth up to ten. */
function deepObject(reader: Reader, name: string, schema: Schema): unknown {
  const names = [...reader.left.keys()].filter(
    (each) => each.startsWith(`${name}[`) && each.endsWith(']'),
  );
  const found = names.flatMap((each) => {
    const path = each.slice(name.length + 1, -1).split('][');
    return path.length > DEEPEST ? [] : taken(reader, each).map((field) => ({ path, field }));
  });
  return found.length === 0 ? undefined : deepValue(reader.document, schema, found);
}

function deepValue(document: Document, schema: Schema, found: readonly Deep[]): unknown {
  const types = typesOf(document, schema);
  const [first, second] = found;
  if (first && found.every(({ path }) => path.length === 0)) {
    if (types.has('array'))
      return arrayValue(
        document,
        found.map(({ field }) => field),
        schema,
        {},
      );
    if (second) throw twice(first.field.name);
    return fieldValue(document, first.field, schema, {});
  }
  const groups = Map.groupBy(found, ({ path }) => path[0] ?? '');
  const properties = propertiesOf(document, schema);
  const isList = types.has('array') && !types.has('object');
  const below = isList ? itemsOf(document, schema) : additionalOf(document, schema);
  const members = [...groups].flatMap(([key, all]) => {
    const inner = all.map(({ path, field }) => ({ path: path.slice(1), field }));
    // `name[]` may be given more than once.
    const each = isList && key === '' ? inner.map((one) => [one]) : [inner];
    return each.map(
      (some) => [key, deepValue(document, properties.get(key) ?? below, some)] as const,
    );
  });
  return isList ? members.map(([, value]) => value) : Object.fromEntries(members);
}

function twice(name: string) {
  return invalid(`/body/${name}`, 'is given more than once');
}
