import { parse } from 'graphql';
import { type Document, isObject, pointer, valueAt } from '../../contract/openapi-document.ts';
import { type Operation, operationsOf } from '../../contract/operation.ts';
import { type Example, examplesIn } from '../../docs/examples.ts';
import { partsOfDocument } from '../coverage/graphql-parts.ts';
import type { Change } from './change.ts';
import { type Contracts, documentOf, schemaOf } from './contract-texts.ts';

const wording = ['description', 'summary', 'example', 'examples', 'title', 'x-parity'];

/** The REST operations whose requests or answers are not what they were, words aside. */
export function affectedOperations(before: Contracts, after: Contracts): Operation[] {
  const [old, now] = [documentOf(before), documentOf(after)];
  if (!now) return [];
  const shapes = new Map(
    (old ? operationsOf(old) : []).map((each) => [each.id, old && shapeOf(old, each)]),
  );
  return operationsOf(now).filter((each) => shapes.get(each.id) !== shapeOf(now, each));
}

/** The example operations that use a changed part of the GraphQL schema. */
export function affectedExamples(
  contracts: Contracts,
  operations: string,
  changes: readonly Change[],
): Example[] {
  const schema = schemaOf(contracts);
  if (!schema || operations === '') return [];
  return examplesIn(operations).filter(({ query }) =>
    [...partsOfDocument(schema, parse(query))].some((part) => isTouched(part, changes)),
  );
}

/** Whether a part of the GraphQL schema, as the coverage names it, is one that changed or holds one. */
export function isTouched(part: string, changes: readonly Change[]): boolean {
  const coordinate = `${part.replace('GraphQL ', '').replace(/\((.*):\)/, '.$1')}.`;
  return changes
    .filter(({ contract, isWording }) => contract === 'GraphQL' && !isWording)
    .some(({ place }) => `${place}.`.startsWith(coordinate) || coordinate.startsWith(`${place}.`));
}

function shapeOf(document: Document, { path, method }: Operation): string {
  const item = Object(document.paths[path]);
  const whole = [path, method, item.parameters ?? [], item[method.toLowerCase()]];
  return JSON.stringify(withoutReferences(document, whole, []));
}

function withoutReferences(document: Document, value: unknown, above: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutReferences(document, each, above));
  if (!isObject(value)) return value;
  const { $ref, ...rest } = value;
  const parts = Object.entries(rest)
    .filter(([key]) => !wording.includes(key))
    .map(([key, child]) => [key, withoutReferences(document, child, above)] as const);
  if (typeof $ref !== 'string' || above.includes($ref)) return Object.fromEntries(parts);
  const target = valueAt(document, pointer($ref));
  return {
    ...Object(withoutReferences(document, target, [...above, $ref])),
    ...Object.fromEntries(parts),
  };
}
