import type { Direction } from '../contract/schema-forms.ts';
import type { Names } from './names.ts';
import { typeName } from './names.ts';
import { isBinary, nameOf, type Schema, typesOf } from './schema.ts';
import { createMarks } from './schema-marks.ts';

/** The type of a value, whatever the language. */
export type Shape =
  | { readonly kind: 'any' | 'never' | 'binary' }
  | { readonly kind: 'plain'; readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'null' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly item: Shape }
  | ObjectShape
  | UnionShape
  | { readonly kind: 'all'; readonly parts: readonly Shape[] }
  | { readonly kind: 'named'; readonly name: string };

export type ObjectShape = {
  readonly kind: 'object';
  readonly fields: readonly Field[];
  /** What members that are not declared are; undefined where the contract does not speak of them. */
  readonly rest: Shape | undefined;
};

export type UnionShape = {
  readonly kind: 'union';
  readonly options: readonly Shape[];
  readonly discriminator?: {
    readonly property: string;
    /** The values that stand for each option, in the order of the options. */
    readonly values: readonly (readonly string[])[];
  };
};

export type Field = {
  readonly name: string;
  readonly required: boolean;
  readonly about: string;
  readonly shape: Shape;
};

/** A schema that has a name, as one direction has it. */
export type Component = {
  readonly name: string;
  readonly about: string;
  readonly shape: Shape;
};

export const anything: Shape = { kind: 'any' };

type Schemas = Readonly<Record<string, Schema | boolean>>;

/** The types of a contract's schemas; those of its components are known by name. */
export function createShapes(schemas: Schemas, names: Names) {
  const differs = createMarks(schemas);
  const called = new Map<string, Readonly<Record<Direction, string>>>();
  for (const name of Object.keys(schemas)) {
    const response = names(typeName(name), 'Model');
    const request = differs(name) ? names(`${response}Input`) : response;
    called.set(name, { request, response });
  }

  function shapeOf(
    schema: Schema | boolean | undefined,
    direction: Direction,
    isForm = false,
  ): Shape {
    if (typeof schema !== 'object' || schema === null)
      return schema === false ? { kind: 'never' } : anything;
    const inner = (each: Schema | boolean) => shapeOf(each, direction);
    const name = nameOf(schema);
    const known = name === undefined ? undefined : called.get(name)?.[direction];
    const parts: Shape[] = [
      ...(known === undefined ? [] : [{ kind: 'named', name: known } as const]),
      ...(schema.allOf ?? []).map(inner),
      ...[schema.oneOf, schema.anyOf].flatMap((options) =>
        options ? [unionShape(schema, options, inner)] : [],
      ),
    ];
    const own = ownShape(schema, direction, isForm);
    const hasOthers = parts.some((part) => part.kind !== 'any');
    return allOf([...parts, ...(hasOthers && isVague(own) ? [] : [own])]);
  }

  function unionShape(
    { discriminator }: Schema,
    options: readonly (Schema | boolean)[],
    inner: (schema: Schema | boolean) => Shape,
  ): Shape {
    if (!discriminator) return union(options.map(inner));
    const { propertyName: property, mapping = {} } = discriminator;
    const valuesOf = (option: Schema | boolean) => {
      const name = typeof option === 'object' ? nameOf(option) : undefined;
      const refers = ([, ref]: readonly [string, string]) =>
        (nameOf({ $ref: ref }) ?? ref) === name;
      return Object.entries(mapping)
        .filter(refers)
        .map(([value]) => value);
    };
    const made = union(
      options.map((option) => {
        const name = typeof option === 'object' ? nameOf(option) : undefined;
        if (name === undefined || declares(option, property)) return inner(option);
        // The discriminator has to be there, whether the option speaks of it or not.
        const values = valuesOf(option);
        const shape = union((values.length > 0 ? values : [name]).map(literal));
        const member: Field = { name: property, required: true, about: '', shape };
        const own: Shape = { kind: 'object', fields: [member], rest: undefined };
        return { kind: 'all', parts: [inner(option), own] };
      }),
    );
    const isWhole = made.kind === 'union' && made.options.length === options.length;
    if (!isWhole || !discriminator.mapping) return made;
    return { ...made, discriminator: { property, values: options.map(valuesOf) } };
  }

  function declares(
    schema: Schema | boolean,
    property: string,
    seen = new Set<unknown>(),
  ): boolean {
    const name = typeof schema === 'object' ? nameOf(schema) : undefined;
    const target = name === undefined ? schema : schemas[name];
    if (typeof target !== 'object' || seen.has(target)) return false;
    seen.add(target);
    if (target.properties && Object.hasOwn(target.properties, property)) return true;
    return [target.allOf, target.oneOf, target.anyOf].some((all) =>
      all?.some((each) => declares(each, property, seen)),
    );
  }

  function ownShape(schema: Schema, direction: Direction, isForm: boolean): Shape {
    if ('const' in schema) return literal(schema.const);
    if (schema.enum) return union(schema.enum.map(literal));
    return union(typesOf(schema).map((type) => typed(type, schema, direction, isForm)));
  }

  function typed(type: string, schema: Schema, direction: Direction, isForm: boolean): Shape {
    const inner = (each: Schema | boolean) => shapeOf(each, direction);
    switch (type) {
      case 'array': {
        const all = [
          ...(schema.prefixItems ?? []),
          ...(schema.items === undefined ? [] : [schema.items]),
        ];
        return { kind: 'list', item: union(all.filter((each) => each !== false).map(inner)) };
      }
      case 'object':
        return {
          kind: 'object',
          fields: fieldsOf(schema, direction, isForm),
          rest: restOf(schema, inner),
        };
      case 'string':
      case 'integer':
      case 'number':
      case 'boolean':
      case 'null':
        return { kind: 'plain', type };
      default:
        return anything;
    }
  }

  function fieldsOf(schema: Schema, direction: Direction, isForm: boolean): Field[] {
    const { properties = {}, required = [] } = schema;
    const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
    return Object.entries(properties).flatMap(([name, property]) => {
      const own: Schema = typeof property === 'object' ? property : {};
      const target: Schema = Object(schemas[nameOf(own) ?? '']);
      if (own[hidden] ?? target[hidden]) return [];
      const shape = isForm ? fileShape(own, target) : undefined;
      return {
        name,
        required: required.includes(name),
        about: own.description ?? target.description ?? '',
        shape: shape ?? shapeOf(property, direction),
      };
    });
  }

  /** The form of a body, in which files may stand. */
  function formShape(schema: Schema | boolean | undefined): Shape {
    const name = typeof schema === 'object' ? nameOf(schema) : undefined;
    const target = name === undefined ? schema : schemas[name];
    return shapeOf(target, 'request', true);
  }

  const written = (): Component[] =>
    [...called].flatMap(([name, { request, response }]) => {
      const schema = schemas[name];
      const about = Object(schema).description ?? '';
      const own = { name: response, about, shape: shapeOf(schema, 'response') };
      if (request === response) return [own];
      return [own, { name: request, about, shape: shapeOf(schema, 'request') }];
    });

  return { shapeOf, formShape, components: withoutLoops(written()) };
}

export type Shapes = ReturnType<typeof createShapes>;

/** A type that is itself, or one of several with itself among them, is no type: what leads back is anything. */
function withoutLoops(components: readonly Component[]): Component[] {
  const shapes = new Map(components.map(({ name, shape }) => [name, shape]));
  const directly = (shape: Shape): string[] => {
    if (shape.kind === 'named') return [shape.name];
    if (shape.kind === 'union') return shape.options.flatMap(directly);
    return shape.kind === 'all' ? shape.parts.flatMap(directly) : [];
  };
  const leadsBack = (name: string) => {
    const seen = new Set<string>();
    const open = directly(shapes.get(name) ?? anything);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === name) return true;
      if (!seen.has(next)) open.push(...directly(shapes.get(next) ?? anything));
      seen.add(next);
    }
    return false;
  };
  return components.map((each) => {
    if (!leadsBack(each.name)) return each;
    shapes.set(each.name, anything);
    return { ...each, shape: anything };
  });
}

/** The values that are one of several; each option once. */
export function union(options: readonly Shape[]): Shape {
  const flat = options.flatMap((each) =>
    each.kind === 'union' && !each.discriminator ? each.options : [each],
  );
  const distinct = [...new Map(flat.map((each) => [JSON.stringify(each), each])).values()];
  const [only] = distinct;
  if (!only || distinct.some(({ kind }) => kind === 'any')) return anything;
  return distinct.length === 1 ? only : { kind: 'union', options: distinct };
}

function allOf(parts: readonly Shape[]): Shape {
  const telling = parts.filter(({ kind }) => kind !== 'any');
  const [only = anything] = telling;
  return telling.length < 2 ? only : { kind: 'all', parts: telling };
}

/** Whether it says nothing beside a reference or a combination of schemas. */
function isVague(shape: Shape): boolean {
  if (shape.kind === 'object') return shape.fields.length === 0;
  if (shape.kind === 'union') return shape.options.every(isVague);
  return shape.kind === 'any' || shape.kind === 'plain';
}

function literal(value: unknown): Shape {
  if (value === null || typeof value === 'string' || typeof value === 'boolean')
    return { kind: 'literal', value };
  return typeof value === 'number' ? { kind: 'literal', value } : anything;
}

function restOf(schema: Schema, inner: (schema: Schema | boolean) => Shape): Shape | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const patterns = Object.values(patternProperties).map(inner);
  if (additionalProperties === undefined || additionalProperties === false) {
    if (patterns.length > 0) return union(patterns);
    return additionalProperties === undefined && Object.keys(properties).length === 0
      ? anything
      : undefined;
  }
  return union([...patterns, inner(additionalProperties)]);
}

/** A file, or several, where a field of a form is one. */
function fileShape(own: Schema, target: Schema): Shape | undefined {
  const isFile = (schema: Schema) =>
    isBinary(schema) && (typesOf(schema).length === 0 || typesOf(schema).includes('string'));
  const file: Shape = { kind: 'binary' };
  if (isFile(own) || isFile(target)) return file;
  const items = own.items ?? target.items;
  return typeof items === 'object' && isFile(items) ? { kind: 'list', item: file } : undefined;
}
