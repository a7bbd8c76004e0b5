import { WrongUse } from '../command.ts';

export type FieldKind =
  | 'string'
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'date-time'
  | 'uuid'
  | 'enum';

/** A field of a record, as the command line gives it. */
export type Field = {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isOptional: boolean;
  readonly isList: boolean;
  /** The bounds of a number, or of the length of a text. */
  readonly least: number;
  readonly most: number;
  /** Of an enum. */
  readonly values: readonly string[];
  /** The collection that it holds an id of. */
  readonly references: string | undefined;
};

const MOST_INT = 2_147_483_647;
const bounds: Readonly<Record<FieldKind, readonly [least: number, most: number]>> = {
  string: [1, 200],
  text: [0, 10_000],
  integer: [-MOST_INT - 1, MOST_INT],
  number: [-1_000_000_000, 1_000_000_000],
  boolean: [0, 0],
  date: [10, 10],
  'date-time': [20, 35],
  uuid: [36, 36],
  enum: [0, 0],
};

/** Reads `name:type` with `?` for optional, `[]` for lists, and bounds such as `(200)`, `(1..5)` or `(a|b)`. */
export function fieldOf(given: string, collections: readonly string[]): Field {
  const [, name, type = '', detail, list, optional] =
    given.match(/^([a-z][A-Za-z0-9]*):([a-z-]+)(?:\(([^()]*)\))?(\[\])?(\?)?$/) ?? [];
  if (name === undefined) {
    throw new WrongUse(`takes fields such as stars:integer(1..5), not '${given}'`);
  }
  if (name === 'id') throw new WrongUse('gives every record an id: do not name one');
  if (!isKind(type)) {
    throw new WrongUse(`knows no type ${type}; there are ${Object.keys(bounds).join(', ')}`);
  }
  const [, parent] = name.match(/^([a-z][A-Za-z0-9]*)Id$/) ?? [];
  const references =
    type === 'integer' && !list && parent !== undefined
      ? collections.find((each) => singular(each) === parent)
      : undefined;
  const isOwn = references !== undefined && detail === undefined;
  const [least, most] = isOwn ? [1, Number.MAX_SAFE_INTEGER] : boundsOf(type, detail, given);
  const values = type === 'enum' ? (detail ?? '').split('|').filter(Boolean) : [];
  if (type === 'enum' && (values.length === 0 || !values.every((each) => /^\w+$/.test(each)))) {
    throw new WrongUse(`takes an enum with its values, such as kind:enum(a|b), not '${given}'`);
  }
  return {
    ...{ name, kind: type, least, most, values, references },
    isOptional: optional !== undefined,
    isList: list !== undefined,
  };
}

function isKind(type: string): type is FieldKind {
  return Object.hasOwn(bounds, type);
}

function boundsOf(
  kind: FieldKind,
  detail: string | undefined,
  given: string,
): readonly [number, number] {
  const [least, most] = bounds[kind];
  if (detail === undefined || kind === 'enum') return [least, most];
  const isText = kind === 'string' || kind === 'text';
  const isNumber = kind === 'integer' || kind === 'number';
  const numbers = detail.split('..').map((each) => (each === '' ? Number.NaN : Number(each)));
  const [first = Number.NaN, last] = numbers;
  const found: readonly [number, number] = last === undefined ? [least, first] : [first, last];
  const isRight =
    (isText || isNumber) &&
    numbers.length <= 2 &&
    found[0] <= found[1] &&
    (kind === 'number' || found.every(Number.isSafeInteger)) &&
    (!isText || found[0] >= 0);
  if (!isRight) throw new WrongUse(`takes bounds such as (200) or (1..5), not '${given}'`);
  return found;
}

/** The names of a collection and of one of its records. */
export type Names = {
  /** As the path has it: `order-lines`. */
  readonly path: string;
  /** As a field of the store has it: `orderLines`. */
  readonly many: string;
  readonly one: string;
  /** As types and operations have it: `OrderLine`. */
  readonly type: string;
  readonly types: string;
  /** For sentences: `order line`. */
  readonly words: string;
  readonly allWords: string;
};

export function namesOf(resource: string | undefined, one: string | undefined): Names {
  if (resource === undefined) throw new WrongUse('needs the name of a collection, such as reviews');
  for (const each of [resource, ...(one ? [one] : [])]) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(each)) {
      throw new WrongUse(`takes names such as reviews or order-lines, not '${each}'`);
    }
  }
  const single = one ?? singular(resource);
  if (single === resource || single === '') {
    throw new WrongUse(
      `needs a name for one of the ${resource} that is not ${resource}: --singular <name>`,
    );
  }
  return {
    path: resource,
    many: camel(resource),
    one: camel(single),
    type: pascal(single),
    types: pascal(resource),
    words: single.replaceAll('-', ' '),
    allWords: resource.replaceAll('-', ' '),
  };
}

function singular(plural: string): string {
  if (plural.endsWith('ies') && plural.length > 4) return `${plural.slice(0, -3)}y`;
  if (/(ss|x|z|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  return plural.endsWith('s') && !plural.endsWith('ss') ? plural.slice(0, -1) : plural;
}

function pascal(name: string): string {
  const parts = name.split('-').map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`);
  return parts.join('');
}

function camel(name: string): string {
  const text = pascal(name);
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
