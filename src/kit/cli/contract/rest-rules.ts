import {
  type Document,
  isObject,
  methods,
  type OperationObject,
} from '../../contract/openapi-document.ts';
import type { Severity } from './finding.ts';
import { undeclaredStatuses } from './kit-statuses.ts';
import type { PatternCheck } from './linear-pattern.ts';
import { pointerPart, type SchemaNode, schemaNodes } from './schema-nodes.ts';

/** A rule on an OpenAPI description that Redocly does not have, and how much it means for anybody's. */
export type RestRule = {
  readonly id: string;
  readonly severity: Severity | 'off';
  find(document: Document, check: PatternCheck): Iterable<Misplaced>;
};

/** What a rule says of a part, which a JSON pointer tells. */
type Misplaced = { readonly place: string; readonly message: string };

export const restRules: readonly RestRule[] = [
  ofOperations('operation-id-camel-case', 'off', ({ operationId = '' }) =>
    /^[a-z][A-Za-z]+$/.test(operationId) ? '' : 'operationId must be in camelCase',
  ),
  ofOperations('operation-summary-words', 'off', ({ summary }) =>
    String(summary ?? '').length > 5 ? '' : 'must have a summary',
  ),
  ofOperations('operation-description-words', 'off', ({ description }) =>
    String(description ?? '').length > 10 ? '' : 'must have a description',
  ),
  ofOperations('operation-one-tag', 'off', ({ tags = [] }) =>
    tags.length === 1 ? '' : 'must have one tag',
  ),
  ofOperations('served-statuses', 'warning', (operation, document, path) => {
    const missing = undeclaredStatuses(document, path, operation);
    return missing.length === 0 ? '' : `must document ${missing.join(', ')}`;
  }),
  ofSchemas('schema-bounds', 'off', ({ value }) =>
    isBounded(value) ? [] : [`${value.type} without bounds`],
  ),
  // Generators make other types of an integer without a format: `int` in one language, `long` in another.
  ofSchemas('integer-format', 'off', ({ value: { type, format } }) =>
    ![type].flat().includes('integer') || /^int(32|64)$/.test(String(format))
      ? []
      : ['integer without the format int32 or int64'],
  ),
  ofSchemas('linear-pattern', 'warning', ({ value }, check) => {
    const { pattern, patternProperties } = value;
    const patterns = [
      ...(typeof pattern === 'string' ? [pattern] : []),
      ...Object.keys(Object(patternProperties)),
    ];
    return patterns.flatMap((each) => check(each) ?? []);
  }),
  { id: 'body-example', severity: 'off', find: bodiesWithoutExample },
  { id: 'closed-object', severity: 'off', find: openObjects },
];

function ofOperations(
  id: string,
  severity: Severity | 'off',
  messageOn: (operation: OperationObject, document: Document, path: string) => string,
): RestRule {
  return {
    id,
    severity,
    *find(document) {
      for (const [path, item] of Object.entries(Object(document.paths))) {
        for (const method of methods) {
          const operation = Object(item)[method];
          const message = isObject(operation) ? messageOn(Object(operation), document, path) : '';
          if (message) yield { place: `#/paths/${pointerPart(path)}/${method}`, message };
        }
      }
    },
  };
}

function ofSchemas(
  id: string,
  severity: Severity | 'off',
  messagesOn: (node: SchemaNode, check: PatternCheck) => string[],
): RestRule {
  return {
    id,
    severity,
    *find(document, check) {
      for (const node of schemaNodes(document)) {
        for (const message of messagesOn(node, check)) yield { place: node.at, message };
      }
    },
  };
}

function isBounded({ type, maxLength, enum: values, minimum, maximum, maxItems }: Schema): boolean {
  if (type === 'string') return maxLength !== undefined || values !== undefined;
  if (type === 'integer' || type === 'number')
    return typeof minimum === 'number' && typeof maximum === 'number';
  return type !== 'array' || maxItems !== undefined;
}

type Schema = SchemaNode['value'];

function* bodiesWithoutExample(value: unknown, _: unknown, place = '#'): Iterable<Misplaced> {
  if (!isObject(value)) return;
  const isBody = /\/content\/[a-z][^/]*$/.test(place) && value.schema !== undefined;
  if (isBody && !value.examples) yield { place, message: 'a body without an example' };
  for (const [key, child] of Object.entries(value))
    yield* bodiesWithoutExample(child, _, `${place}/${pointerPart(key)}`);
}

/** Every input and record refuses what it does not know. */
function* openObjects({ components }: Document): Iterable<Misplaced> {
  for (const [name, schema] of Object.entries(Object(components?.schemas))) {
    const { type, additionalProperties } = Object(schema);
    if (type !== 'object' || additionalProperties === false) continue;
    const place = `#/components/schemas/${pointerPart(name)}`;
    yield { place, message: 'must refuse unknown properties' };
  }
}
