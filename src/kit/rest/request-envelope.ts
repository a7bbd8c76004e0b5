import type { Contract } from '../contract/contract.ts';
import { type Document, isObject, pointer, valueAt } from '../contract/openapi-document.ts';
import type { Operation, Parameter } from '../contract/operation.ts';
import { schemaOf } from './parameter-source.ts';
import type { BodyForm } from './request-body.ts';

/** The media type of a request without a body, as the validator is asked about it. */
export const NO_BODY = 'application/none';

/** The media type of a request with the i-th form of body, as the validator is asked about it. */
export function typeOf(i: number): string {
  return `application/m${i}`;
}

/**
 * What the values of an operation's requests must satisfy, by media type, in the order in which errors are told:
 * the schema of an object with all of them, the same for the lane and for the validator.
 */
export function envelopesOf(
  { document }: Contract,
  operation: Operation,
  forms: readonly BodyForm[],
): Record<string, object> {
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
  return Object.fromEntries(all.map(([type, each]) => [type, envelope(each)]));
}

function envelope(properties: Readonly<Record<string, unknown>>): object {
  // The validator's preprocessing looks at nothing beside an `allOf`.
  return { allOf: [], properties };
}

type Member = { readonly name: string; readonly required: boolean; readonly schema: unknown };

function sectionOf(members: readonly Member[]): object {
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

function defaultOf(document: Document, schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  const { $ref, default: value } = schema;
  if (value !== undefined || typeof $ref !== 'string') return value;
  return defaultOf(document, valueAt(document, pointer($ref)));
}
