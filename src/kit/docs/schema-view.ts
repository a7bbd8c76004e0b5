import { type Document, isObject, resolve } from '../contract/openapi-document.ts';
import type { Direction } from '../contract/schema-forms.ts';
import { nameOf, type Schema, typesOf } from '../sdk/schema.ts';
import { type LinkOf, markdown } from './markdown.ts';
import { type Markup, markup } from './markup.ts';
import { termsOf } from './schema-terms.ts';

type Part = Schema | boolean | undefined;

/** Shows the schemas of a contract: those that have a name by links to their pages. */
export type SchemaView = {
  /** In a line. */
  type(schema: Part): Markup;
  /** What is in an object, or what a value may be; empty where its type says it all. */
  members(schema: Part, direction?: Direction): Markup | '';
  /** A list of named values: parameters, headers. */
  readonly fields: typeof fieldList;
};

export type FieldEntry = {
  readonly name: string;
  readonly id?: string;
  readonly type: Markup;
  readonly marks: readonly string[];
  readonly terms: readonly Markup[];
  readonly about: Markup | '';
};

export const schemaHref = (name: string) => `/docs/rest/schemas/${encodeURIComponent(name)}`;

/** Objects without a name stand within each other; deeper ones than this are not shown. */
const DEEPEST = 6;
const MOST_OPTIONS = 12;

export function createSchemaView(document: Document, linkOf: LinkOf): SchemaView {
  const resolved = (schema: Part): Schema =>
    isObject(schema) ? Object(resolve(document, schema)) : {};

  function type(schema: Part): Markup {
    if (!isObject(schema)) return markup`${schema === false ? 'nothing' : 'any value'}`;
    const name = nameOf(schema);
    if (name !== undefined) return markup`<a href="${schemaHref(name)}">${name}</a>`;
    const { allOf, oneOf, anyOf, items, additionalProperties: rest } = schema;
    if (schema.const !== undefined) return markup`<code>${JSON.stringify(schema.const)}</code>`;
    const options = oneOf ?? anyOf;
    if (options) return joined(options.map(type), ' or ');
    if (allOf) return joined(allOf.map(type), ' and ');
    const types = typesOf(schema);
    const all = types.map((each) => {
      if (each === 'array') return markup`array of ${type(items)}`;
      const isMap = each === 'object' && isObject(rest) && !schema.properties;
      return isMap ? markup`map of ${type(rest)}` : markup`${each}`;
    });
    const format = schema.format === undefined ? '' : ` (${schema.format})`;
    return markup`${all.length > 0 ? joined(all, ' or ') : 'any value'}${format}`;
  }

  function members(schema: Part, direction?: Direction, depth = 0): Markup | '' {
    if (!isObject(schema) || depth > DEEPEST) return '';
    const whole = merged(resolved(schema));
    const options = whole.oneOf ?? whole.anyOf ?? [];
    const named = Object.entries(whole.properties ?? {}).filter(
      ([, each]) => !isLeftOut(each, direction),
    );
    const entries = named.map(([name, each]) => ({
      ...entryOf(name, each, whole.required?.includes(name) ?? false),
      inner: innerOf(each, direction, depth),
    }));
    const { additionalProperties: rest } = whole;
    const others =
      isObject(rest) && named.length > 0 ? markup`<p>Other members: ${type(rest)}</p>\n` : '';
    if (entries.length > 0 || options.length > 0) {
      return markup`${entries.length > 0 ? fieldList(entries) : ''}${others}${optionList(options, direction, depth)}`;
    }
    // What a list or a map is made of, where that has no name.
    const { items } = whole;
    return members(isObject(items) ? items : rest, direction, depth + 1);
  }

  function optionList(
    options: readonly Part[],
    direction: Direction | undefined,
    depth: number,
  ): Markup | '' {
    const shown = options.filter((each) => isObject(each) && nameOf(each) === undefined);
    const views = shown.slice(0, MOST_OPTIONS).flatMap((each) => {
      const inner = members(each, direction, depth + 1);
      return inner === ''
        ? []
        : [markup`<details><summary>${type(each)}</summary>${inner}</details>`];
    });
    return views.length > 0 ? markup`${views}` : '';
  }

  function innerOf(schema: Part, direction: Direction | undefined, depth: number): Markup | '' {
    const element = elementOf(schema);
    if (!isObject(element) || nameOf(element) !== undefined) return '';
    const inner = members(element, direction, depth + 1);
    return inner === '' ? '' : markup`<details><summary>Members</summary>${inner}</details>`;
  }

  /** Whether a member is not sent in this direction. */
  function isLeftOut(schema: Part, direction: Direction | undefined): boolean {
    const { readOnly = false, writeOnly = false } = resolved(schema);
    return direction === 'request' ? readOnly : direction === 'response' && writeOnly;
  }

  /** What an array is made of, however deep. */
  function elementOf(schema: Part): Part {
    return isObject(schema) && schema.items !== undefined ? elementOf(schema.items) : schema;
  }

  function entryOf(name: string, schema: Part, required: boolean): FieldEntry {
    const own = isObject(schema) ? schema : {};
    const target = resolved(own);
    // The bounds of a named text or number are short; what is in a named object is on its page.
    const isPlain = nameOf(own) !== undefined && !target.properties && !target.allOf;
    const whole: object = isPlain ? { ...target, ...own } : own;
    const { description = '', deprecated = false } = Object(whole);
    return {
      name,
      type: type(schema),
      marks: [...(required ? ['required'] : []), ...(deprecated ? ['deprecated'] : [])],
      terms: termsOf(Object(whole)),
      about: description ? markdown(String(description), 4, linkOf) : '',
    };
  }

  /** The parts of `allOf` as one object. */
  function merged(schema: Schema, depth = 0): Schema {
    if (!schema.allOf || depth > DEEPEST) return schema;
    const parts = schema.allOf.map((part) => merged(resolved(part), depth + 1));
    const all = [...parts, schema];
    const options = parts.flatMap((part) => part.oneOf ?? part.anyOf ?? []);
    return {
      ...schema,
      properties: Object.assign({}, ...all.map(({ properties }) => properties)),
      required: all.flatMap(({ required = [] }) => required),
      ...(options.length > 0 && { oneOf: options }),
    };
  }

  return { type, members: (schema, direction) => members(schema, direction), fields: fieldList };
}

/** A list of names with what is said of each. */
function fieldList(entries: readonly (FieldEntry & { readonly inner?: Markup | '' })[]): Markup {
  const rows = entries.map(
    ({
      name,
      id,
      type,
      marks,
      terms,
      about,
      inner = '',
    }) => markup`<dt${id ? markup` id="${id}"` : ''}><code class="field-name">${broken(name)}</code> <span class="of">${type}</span>${marks.map(
      (mark) => markup` <span class="mark ${mark}">${mark}</span>`,
    )}</dt>
<dd>${about}${terms.length > 0 ? markup`<p class="terms">${joined(terms, '; ')}</p>` : ''}${inner}</dd>\n`,
  );
  return markup`<dl class="fields">${rows}</dl>\n`;
}

/** A name or path that may break between its words, and nowhere else. */
export function broken(name: string): Markup {
  const parts = name.split(/(?<=[/._-])(?=[^/._-])|(?<=[a-z])(?=[A-Z])/);
  return markup`${parts.map((part, i) => (i === 0 ? part : markup`<wbr>${part}`))}`;
}

function joined(parts: readonly Markup[], between: string): Markup {
  return markup`${parts.map((part, i) => (i === 0 ? part : markup`${between}${part}`))}`;
}
