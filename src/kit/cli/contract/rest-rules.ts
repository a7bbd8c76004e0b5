import { type Document, isObject, methods } from '../../contract/openapi-document.ts';
import type { Finding } from './finding.ts';
import { undeclaredStatuses } from './kit-statuses.ts';
import { createPatternCheck, type PatternCheck } from './linear-pattern.ts';
import { type SchemaNode, schemaNodes } from './schema-nodes.ts';

type Node = { readonly at: string; readonly value: Record<string, unknown> };

/** What Redocly's rules do not ask of openapi.yaml and we do. */
export function restFindings(document: Document, check = createPatternCheck()): Finding[] {
  const schemas = schemaNodes(document);
  return [
    ...operationFindings(document),
    ...schemas.flatMap(boundFindings),
    ...schemas.flatMap(formatFindings),
    ...schemas.flatMap((node) => patternFindings(node, check)),
    ...nodes(document).flatMap(exampleFindings),
    ...objectFindings(document),
  ].map(({ at, message }) => ({ contract: 'openapi.yaml', place: at, message }));
}

type Found = { readonly at: string; readonly message: string };

function nodes(value: unknown, at = '#'): Node[] {
  if (!isObject(value)) return [];
  const below = Object.entries(value).flatMap(([key, child]) => nodes(child, `${at}/${key}`));
  return [{ at, value }, ...below];
}

/** An operation has a name, words, one tag and every failure that the kit may answer it with. */
function operationFindings(document: Document): Found[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const { operationId = '', tags = [] } = operation;
      const { summary = '', description = '' } = Object(operation);
      const missing = undeclaredStatuses(document, path, operation);
      const messages = [
        /^[a-z][A-Za-z]+$/.test(operationId) ? '' : 'operationId must be in camelCase',
        summary.length > 5 ? '' : 'must have a summary',
        description.length > 10 ? '' : 'must have a description',
        tags.length === 1 ? '' : 'must have one tag',
        missing.length === 0 ? '' : `must document ${missing.join(', ')}`,
      ];
      const at = `${method.toUpperCase()} ${path}`;
      return messages.filter(Boolean).map((message) => ({ at, message }));
    }),
  );
}

function boundFindings({ at, value }: SchemaNode): Found[] {
  const { type } = value;
  const isBounded =
    type === 'string'
      ? value.maxLength !== undefined || value.enum !== undefined
      : type === 'integer' || type === 'number'
        ? typeof value.minimum === 'number' && typeof value.maximum === 'number'
        : type !== 'array' || value.maxItems !== undefined;
  return isBounded ? [] : [{ at, message: `${type} without bounds` }];
}

/** Generators make other types of an integer without a format: `int` in one language, `long` in another. */
function formatFindings({ at, value: { type, format } }: SchemaNode): Found[] {
  const isKnown = ![type].flat().includes('integer') || /^int(32|64)$/.test(String(format));
  return isKnown ? [] : [{ at, message: 'integer without the format int32 or int64' }];
}

function patternFindings({ at, value }: SchemaNode, check: PatternCheck): Found[] {
  const { pattern, patternProperties } = value;
  const patterns = [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...Object.keys(Object(patternProperties)),
  ];
  return patterns.flatMap((each) => check(each) ?? []).map((message) => ({ at, message }));
}

function exampleFindings({ at, value }: Node): Found[] {
  const isBody = /\/content\/[a-z]/.test(at) && value.schema !== undefined;
  return isBody && !value.examples ? [{ at, message: 'a body without an example' }] : [];
}

/** Every input and record refuses what it does not know. */
function objectFindings({ components }: Document): Found[] {
  return Object.entries(components?.schemas ?? {}).flatMap(([name, schema]) => {
    const { type, additionalProperties } = Object(schema);
    // GraphQL over HTTP keeps other members of a request for its own future.
    const isOpen = name === 'GraphqlRequest';
    if (type !== 'object' || additionalProperties === isOpen) return [];
    return [{ at: `#/components/schemas/${name}`, message: 'must refuse unknown properties' }];
  });
}
