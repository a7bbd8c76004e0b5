import { byDiscriminator } from './discriminator.ts';
import type { Formats } from './formats.ts';
import { type Document, isObject, resolve } from './openapi-document.ts';
import { createDefaultCheck } from './usable-default.ts';

export type Direction = 'request' | 'response';

/** Schemas as one direction has them, with the components that they refer to. */
export type SchemaForms = {
  readonly schemas: Readonly<Record<string, Form>>;
  readonly components: Readonly<Record<string, Form>>;
};

export type Form = boolean | Record<string, unknown>;

/**
 * Gives schemas as requests or responses have them, without what says nothing about validity. A member that is
 * `readOnly` is not demanded of a request, and refused there; `writeOnly` likewise of a response.
 */
export function createForms(
  document: Document,
  formats: Formats,
): (schemas: Readonly<Record<string, unknown>>, direction: Direction) => SchemaForms {
  const known = { request: new Map<string, Form>(), response: new Map<string, Form>() };
  const isUsable = createDefaultCheck(formats);
  const opened = new Set<string>();

  function formOf(written: unknown, direction: Direction, absent = new Set<string>()): Form {
    if (!isObject(written)) return written !== false;
    const schema = byDiscriminator(written);
    const hidden = hiddenMembers(document, schema, direction, absent);
    const inner = (child: unknown) => formOf(child, direction);
    const form: Record<string, unknown> = {};
    for (const [key, child] of Object.entries(schema)) {
      if (key === 'properties') {
        const members = fixedFirst(Object(child)).map(([name, each]) => [
          name,
          hidden.has(name) ? { [HIDDEN[direction]]: true } : memberOf(schema, name, inner(each)),
        ]);
        form[key] = Object.fromEntries(members);
      } else if (key === 'required' && Array.isArray(child)) {
        form[key] = child.filter((name) => !hidden.has(name));
      } else if (key === 'allOf' && Array.isArray(child)) {
        form[key] = child.map((each) => formOf(each, direction, hidden));
      } else if (single.has(key)) form[key] = inner(child);
      else if (listed.has(key) && Array.isArray(child)) form[key] = child.map(inner);
      else if (mapped.has(key)) {
        const members = Object.entries(Object(child)).map(([name, each]) => [name, inner(each)]);
        form[key] = Object.fromEntries(members);
      } else if (key === '$ref') form[key] = COMPONENTS + nameIn(String(child));
      else if (key === 'format') {
        if (Object.hasOwn(formats, String(child))) form[key] = child;
      } else if (assertions.has(key)) form[key] = child;
    }
    const { default: usual } = schema;
    if (usual !== undefined && isUsable(behind(form, direction), usual)) form.default = usual;
    return withPatternsApart(form);
  }

  /** What a form refers to, and what stands beside the reference. */
  function behind(form: Record<string, unknown>, direction: Direction): Record<string, unknown> {
    const { $ref, ...own } = form;
    if (typeof $ref !== 'string') return form;
    const name = nameIn($ref);
    // A component may lead back to itself.
    if (opened.has(name)) return form;
    opened.add(name);
    const referred = formOf(componentOf(document, name), direction);
    opened.delete(name);
    return { allOf: [referred, own] };
  }

  return (schemas, direction) => {
    const components: Record<string, Form> = {};
    const forms = Object.entries(schemas).map(([name, schema]) => {
      const form = formOf(schema, direction);
      collect(form);
      return [name, form];
    });
    function collect(value: unknown): void {
      if (!isObject(value)) return;
      const name = typeof value.$ref === 'string' ? nameIn(value.$ref) : '';
      if (name !== '' && !Object.hasOwn(components, name)) {
        const form = known[direction].get(name) ?? formOf(componentOf(document, name), direction);
        known[direction].set(name, form);
        components[name] = form;
        collect(form);
      }
      for (const child of Object.values(value)) collect(child);
    }
    return { schemas: Object.fromEntries(forms), components };
  };
}

/** Members; those that tell what kind of object it is come first, since Ajv goes no further where they do not fit. */
function fixedFirst(properties: Readonly<Record<string, unknown>>): [string, unknown][] {
  const isFree = (schema: unknown) => !('const' in Object(schema) || 'enum' in Object(schema));
  return Object.entries(properties).toSorted(([, a], [, b]) => +isFree(a) - +isFree(b));
}

/**
 * Patterns of names stand in a part of their own, beside parts that may not be asked of a value: Ajv throws where it
 * notes the members that they have looked at together (ajv 8.20).
 */
function withPatternsApart(form: Record<string, unknown>): Record<string, unknown> {
  const { properties, patternProperties, additionalProperties, ...others } = form;
  const isBeside = ['if', 'anyOf', 'oneOf', 'allOf', 'dependentSchemas', '$ref'].some(
    (key) => key in others,
  );
  if (!patternProperties || !isBeside) return form;
  const part = Object.entries({ properties, patternProperties, additionalProperties });
  const members = Object.fromEntries(part.filter(([, each]) => each !== undefined));
  const parts = Array.isArray(others.allOf) ? others.allOf : [];
  return { ...others, allOf: [...parts, members] };
}

/** Ajv would fill in the default of a member that is required. */
function memberOf({ required }: Readonly<Record<string, unknown>>, name: string, form: Form): Form {
  if (!isObject(form) || !('default' in form)) return form;
  if (!Array.isArray(required) || !required.includes(name)) return form;
  const { default: _, ...others } = form;
  return others;
}

/** A form whose schemas are changed, each after those that it is made of. */
export function mapSchemas(
  form: Form,
  change: (schema: Record<string, unknown>) => Record<string, unknown>,
): Form {
  if (!isObject(form)) return form;
  const inner = (child: unknown) => mapSchemas(child as Form, change);
  const entries = Object.entries(form).map(([key, child]) => {
    if (single.has(key)) return [key, inner(child)];
    if (Array.isArray(child) && isListed(key)) return [key, child.map(inner)];
    if (!isMapped(key)) return [key, child];
    const members = Object.entries(Object(child)).map(([name, each]) => [name, inner(each)]);
    return [key, Object.fromEntries(members)];
  });
  return change(Object.fromEntries(entries));
}

/** The schemas that a form is made of, itself first. */
export function* schemasIn(form: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (!isObject(form)) return;
  yield form;
  for (const [key, child] of Object.entries(form)) {
    if (single.has(key)) yield* schemasIn(child);
    else if (isListed(key) || isMapped(key)) {
      for (const each of Object.values(Object(child))) yield* schemasIn(each);
    }
  }
}

function isListed(key: string): boolean {
  return key === 'allOf' || listed.has(key);
}

function isMapped(key: string): boolean {
  return key === 'properties' || mapped.has(key);
}

/**
 * Where forms look for components. express-openapi-validator would compile each of `schemas` a second time, drop
 * what stands beside a reference, and read dates and discriminators its own way.
 */
export const COMPONENTS = '#/components/x-schemas/';

const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const;

const single = new Set([
  ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'not', 'if', 'then', 'else'],
]);
const listed = new Set(['anyOf', 'oneOf', 'prefixItems']);
const mapped = new Set(['patternProperties', 'dependentSchemas']);
const assertions = new Set([
  ...['type', 'enum', 'const', 'dependentRequired'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minContains', 'maxContains', 'minProperties', 'maxProperties'],
]);

/** The members that a direction does not have: those of the schema, and of those that it combines. */
function hiddenMembers(
  document: Document,
  schema: Readonly<Record<string, unknown>>,
  direction: Direction,
  found: ReadonlySet<string>,
  seen = new Set<unknown>(),
): Set<string> {
  const hidden = new Set(found);
  if (seen.has(schema)) return hidden;
  seen.add(schema);
  for (const [name, member] of Object.entries(Object(schema.properties))) {
    if (isObject(member) && isHidden(document, member, direction)) hidden.add(name);
  }
  for (const each of Array.isArray(schema.allOf) ? schema.allOf : []) {
    const part = Object(resolve(document, Object(each)));
    for (const name of hiddenMembers(document, part, direction, hidden, seen)) hidden.add(name);
  }
  return hidden;
}

function isHidden(document: Document, member: object, direction: Direction): boolean {
  return (
    Reflect.get(member, HIDDEN[direction]) === true ||
    // A schema may be a boolean.
    Object(resolve(document, member))[HIDDEN[direction]] === true
  );
}

/** The component that a reference names. */
export function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function componentOf({ components }: Document, name: string): unknown {
  return components?.schemas?.[name];
}
