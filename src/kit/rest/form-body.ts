import { isJsonType } from '../contract/media-type.ts';
import type { EncodingObject, MediaTypeObject } from '../contract/openapi-document.ts';
import { invalid } from '../errors.ts';
import { jsonOf } from '../http/body.ts';
import { readingOf } from './parameter-value.ts';
import type { Schema, SchemaReader } from './schema-parts.ts';

/** A name of a form with what was sent for it: text, or a value that needs no more reading, such as a file. */
export type Field = { readonly name: string } & (
  | { readonly text: string }
  | { readonly text?: undefined; readonly value: unknown }
);

type Fields = readonly Field[];
type Form = { readonly schemas: SchemaReader; readonly left: Map<string, Field[]> };

const MOST_FIELDS = 10_000;

/** The fields of an `application/x-www-form-urlencoded` text. */
export function urlEncodedFields(text: string): Field[] {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > MOST_FIELDS) {
    throw invalid('/body', `must not have more than ${MOST_FIELDS} fields`);
  }
  return pairs.map((pair) => {
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
  schemas: SchemaReader,
  { schema, encoding = {} }: MediaTypeObject,
  fields: Fields,
): Record<string, unknown> {
  const form = { schemas, left: Map.groupBy(fields, ({ name }) => name) };
  const declared = schemas.properties(schema);
  const members = [...declared].flatMap(([name, property]) => {
    const value = propertyValue(form, name, property, encoding[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  const additional = schemas.additional(schema);
  // The schema says whether there may be others.
  const others = [...form.left].map(([name, all]) => {
    const values = all.map((field) => fieldValue(schemas, field, additional, {}));
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  // Object.fromEntries makes own members also of names such as __proto__.
  return Object.fromEntries([...members, ...others]);
}

const scalars = ['string', 'integer', 'number', 'boolean'];
const delimiters: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function propertyValue(
  form: Form,
  name: string,
  schema: Schema,
  encoding: EncodingObject = {},
): unknown {
  const { schemas } = form;
  const types = schemas.types(schema);
  // OpenAPI: contentType counts only where neither of these is given.
  const isStyled = encoding.style !== undefined || encoding.explode !== undefined;
  const { style = 'form', explode = style === 'form' } = encoding;
  if (isStyled && style === 'deepObject') {
    // OpenAPI defines it for objects alone; what else is sent so is read as if it had no style.
    return deepObject(form, name, schema) ?? propertyValue(form, name, schema);
  }
  if (isStyled && explode && types.has('object') && !types.has('string')) {
    return explodedObject(form, schema);
  }
  const fields = taken(form, name);
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
      ? texts.map((text) => textValue(schemas, schemas.items(schema), text))
      : objectOf(schemas, schema, texts);
  }
  const isList = types.has('array') && (second || !scalars.some((type) => types.has(type)));
  if (isList) return arrayValue(schemas, fields, schema, encoding);
  if (second) throw twice(name);
  return fieldValue(schemas, first, schema, encoding);
}

function taken({ left }: Form, name: string): Fields {
  const fields = left.get(name) ?? [];
  left.delete(name);
  return fields;
}

function arrayValue(
  schemas: SchemaReader,
  fields: Fields,
  schema: Schema,
  encoding: EncodingObject,
) {
  const items = schemas.items(schema);
  const values = fields.map((field) => fieldValue(schemas, field, items, encoding));
  const [first, second] = values;
  // A part of JSON may hold the whole array.
  const isWhole =
    second === undefined && Array.isArray(first) && !schemas.types(items).has('array');
  return isWhole ? first : values;
}

function fieldValue(
  schemas: SchemaReader,
  field: Field,
  schema: Schema,
  { contentType }: EncodingObject,
): unknown {
  if (field.text === undefined) return field.value;
  const types = schemas.types(schema);
  const isJson = contentType
    ? isJsonType(contentType)
    : // OpenAPI: the default of an object is application/json.
      (types.has('object') || types.has('array')) && !types.has('string');
  if (!isJson) return textValue(schemas, schema, field.text);
  return jsonOf(field.text, 'exact', `/body/${field.name}`);
}

function textValue(schemas: SchemaReader, schema: Schema, text: string): unknown {
  return readingOf(text, schemas.types(schema));
}

/** Names and values in turn. */
function objectOf(schemas: SchemaReader, schema: Schema, texts: readonly string[]): unknown {
  const properties = schemas.properties(schema);
  const members = texts.flatMap((name, i) =>
    i % 2 === 0 ? [[name, textValue(schemas, properties.get(name), texts[i + 1] ?? '')]] : [],
  );
  return Object.fromEntries(members);
}

/** An object whose members are fields of their own. */
function explodedObject(form: Form, schema: Schema): unknown {
  const members = [...form.schemas.properties(schema)].flatMap(([name, property]) => {
    const value = propertyValue(form, name, property);
    return value === undefined ? [] : [[name, value] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

type Deep = { readonly path: readonly string[]; readonly field: Field };
const DEEPEST = 10;

/** An object whose members are fields such as `name[member]`, at any depth up to ten. */
function deepObject(form: Form, name: string, schema: Schema): unknown {
  const names = [...form.left.keys()].filter(
    (each) => each.startsWith(`${name}[`) && each.endsWith(']'),
  );
  const found = names.flatMap((each) => {
    const path = each.slice(name.length + 1, -1).split('][');
    return path.length > DEEPEST ? [] : taken(form, each).map((field) => ({ path, field }));
  });
  return found.length === 0 ? undefined : deepValue(form.schemas, schema, found);
}

function deepValue(schemas: SchemaReader, schema: Schema, found: readonly Deep[]): unknown {
  const types = schemas.types(schema);
  const [first, second] = found;
  if (first && found.every(({ path }) => path.length === 0)) {
    if (types.has('array'))
      return arrayValue(
        schemas,
        found.map(({ field }) => field),
        schema,
        {},
      );
    if (second) throw twice(first.field.name);
    return fieldValue(schemas, first.field, schema, {});
  }
  const groups = Map.groupBy(found, ({ path }) => path[0] ?? '');
  const properties = schemas.properties(schema);
  const isList = types.has('array') && !types.has('object');
  const below = isList ? schemas.items(schema) : schemas.additional(schema);
  const members = [...groups].flatMap(([key, all]) => {
    const inner = all.map(({ path, field }) => ({ path: path.slice(1), field }));
    // `name[]` may be given more than once.
    const each = isList && key === '' ? inner.map((one) => [one]) : [inner];
    return each.map(
      (some) => [key, deepValue(schemas, properties.get(key) ?? below, some)] as const,
    );
  });
  return isList ? members.map(([, value]) => value) : Object.fromEntries(members);
}

function twice(name: string) {
  return invalid(`/body/${name}`, 'is given more than once');
}
