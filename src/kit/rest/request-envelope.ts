import type { Contract } from '../contract/contract.ts';
import { byDiscriminator } from '../contract/discriminator.ts';
import { type Document, isObject, pointer, valueAt } from '../contract/openapi-document.ts';
import type { Operation, Parameter } from '../contract/operation.ts';
import { forPathDocument } from '../contract/path-document.ts';
import { requestSchemas } from '../contract/request-schemas.ts';
import { type AnySchema, mapSchema } from '../contract/schema-map.ts';
import { schemaOf } from './parameter-source.ts';
import type { BodyForm } from './request-body.ts';

/** The media type of a request without a body, as the validator is asked about it. */
export const NO_BODY = 'application/none';

/** The media type of a request with the i-th form of body, as the validator is asked about it. */
export function typeOf(i: number): string {
  return `application/m${i}`;
}

export type Envelopes = {
  /** By media type: the schema of an object with all values of a request. */
  readonly schemas: Readonly<Record<string, AnySchema>>;
  readonly components: Readonly<Record<string, AnySchema>>;
};

/**
 * What the values of an operation's requests must satisfy, the same for the lane and for the validator, in the
 * order in which errors are told.
 */
export function envelopesOf(
  { document }: Contract,
  operation: Operation,
  forms: readonly BodyForm[],
): Envelopes {
  const among = (place: Parameter['in']) =>
    sectionOf(
      operation.parameters
        .filter((parameter) => parameter.in === place)
        .map((parameter) => ({
          name: place === 'header' ? parameter.name.toLowerCase() : parameter.name,
          required: parameter.required,
          schema: withDefault(document, schemaOf(parameter)),
        })),
    );
  const properties = {
    query: among('query'),
    headers: among('header'),
    path: among('path'),
    cookies: among('cookie'),
  };
  const bodies = forms.map(
    ({ schema }, i) => [typeOf(i), { ...properties, body: schema }] as const,
  );
  const all = [...bodies, [NO_BODY, properties] as const];
  const { schemas, components } = requestSchemas(
    document,
    Object.fromEntries(all.map(([type, each]) => [type, envelope(each)])),
  );
  return { schemas: judged(schemas), components: judged(components) };
}

function envelope(properties: Readonly<Record<string, AnySchema>>): AnySchema {
  // The validator's preprocessing looks at nothing beside an `allOf`.
  return { allOf: [{}], properties };
}

type Member = { readonly name: string; readonly required: boolean; readonly schema: unknown };

function sectionOf(members: readonly Member[]): AnySchema {
  return {
    required: members.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
  };
}

/** Ajv fills in a default that stands beside a reference, but not one that stands behind it. */
function withDefault(document: Document, schema: unknown): unknown {
  const value = defaultOf(document, schema);
  return value === undefined || !isObject(schema) ? schema : { ...schema, default: value };
}

function defaultOf(document: Document, schema: unknown, seen = new Set<unknown>()): unknown {
  if (!isObject(schema) || seen.has(schema)) return undefined;
  seen.add(schema);
  const { $ref, default: value } = schema;
  if (value !== undefined || typeof $ref !== 'string') return value;
  return defaultOf(document, valueAt(document, pointer($ref)), seen);
}

function judged(schemas: Readonly<Record<string, AnySchema>>): Record<string, AnySchema> {
  const entries = Object.entries(schemas).map(([name, schema]) => [
    name,
    forPathDocument(mapSchema(schema, byDiscriminator)),
  ]);
  return Object.fromEntries(entries);
}
