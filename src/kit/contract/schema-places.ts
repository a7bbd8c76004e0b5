import type { Path } from './contract-source.ts';
import { type Document, isObject } from './openapi-document.ts';

/** A schema of a document, and where it is. */
export type SchemaPlace = { readonly path: Path; readonly schema: Record<string, unknown> };

/** The schemas of a document that are not within another. */
export function outermostSchemas(document: Document): SchemaPlace[] {
  return outermost(document);
}

/** Every schema of a document; those within another come after it. */
export function allSchemas(document: Document): SchemaPlace[] {
  const found: SchemaPlace[] = [];
  for (const outer of outermost(document)) collectInner(outer, found);
  return found;
}

/** A way from the root; the path is made when it is asked for, because few of thousands are. */
type Step = { readonly before: Step | undefined; readonly key: string };

function pathTo(step: Step | undefined): string[] {
  return step ? [...pathTo(step.before), step.key] : [];
}

type Place = SchemaPlace & { readonly step: Step };

function placeAt(schema: Record<string, unknown>, step: Step): Place {
  return {
    schema,
    step,
    get path() {
      return pathTo(step);
    },
  };
}

function outermost(document: Document): Place[] {
  const found: Place[] = [];
  collect(document, undefined, found);
  return found;
}

function collect(value: unknown, before: Step | undefined, found: Place[]): void {
  if (!isObject(value)) return;
  const areSchemas =
    before?.key === 'schemas' && before.before?.key === 'components' && !before.before.before;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'example' || key === 'examples' || key.startsWith('x-')) continue;
    const step = { before, key };
    if (key !== 'schema' && !areSchemas) collect(child, step, found);
    else if (isObject(child)) found.push(placeAt(child, step));
  }
}

const single = [
  ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'not', 'if', 'then', 'else'],
];
const several = [
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs'],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'],
];

function collectInner(place: Place, found: SchemaPlace[]): void {
  const { schema, step } = place;
  found.push(place);
  for (const key of single) {
    const child = schema[key];
    if (isObject(child)) collectInner(placeAt(child, { before: step, key }), found);
  }
  for (const key of several) {
    const children = schema[key];
    if (!isObject(children)) continue;
    const before = { before: step, key };
    for (const [name, child] of Object.entries(children)) {
      if (isObject(child)) collectInner(placeAt(child, { before, key: name }), found);
    }
  }
}
