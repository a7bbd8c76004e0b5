import { type Document, isObject, pointer, valueAt } from '../../contract/openapi-document.ts';
import { type Operation, operationsOf } from '../../contract/operation.ts';

/** The operations that a shared part is used by, in what they take and in what they answer. */
export type Reach = {
  readonly request: ReadonlySet<string>;
  readonly response: ReadonlySet<string>;
};

export const nothing: Reach = { request: new Set(), response: new Set() };

/** What the component of a JSON pointer reaches, in either of two versions of a document. */
export function createReach(...documents: readonly Document[]): (place: string) => Reach {
  const found = new Map<string, { request: Set<string>; response: Set<string> }>();
  for (const document of documents) {
    const edges = new Map<string, readonly string[]>();
    const next = (place: string) => {
      const known = edges.get(place) ?? refsIn(valueAt(document, pointer(place)));
      edges.set(place, known);
      return known;
    };
    for (const operation of operationsOf(document)) {
      const { object, path } = operation;
      const { parameters } = Object(document.paths[path]);
      const roots = {
        request: [parameters, object.parameters, object.requestBody],
        response: [object.responses],
      };
      for (const side of ['request', 'response'] as const) {
        for (const place of closure(refsIn(roots[side]), next)) {
          const reach = found.get(place) ?? { request: new Set(), response: new Set() };
          reach[side].add(operationName(operation));
          found.set(place, reach);
        }
      }
    }
  }
  return (place) => found.get(place.split('/').slice(0, 4).join('/')) ?? nothing;
}

export function operationName({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function closure(
  roots: readonly string[],
  next: (place: string) => readonly string[],
): Set<string> {
  const seen = new Set(roots);
  // The set grows while it is walked.
  for (const place of seen) for (const each of next(place)) seen.add(each);
  return seen;
}

function refsIn(value: unknown): string[] {
  const found = new Set<string>();
  const walk = (each: unknown) => {
    if (!isObject(each)) return;
    if (typeof each.$ref === 'string') found.add(each.$ref);
    for (const key in each) if (key !== 'example' && key !== 'examples') walk(each[key]);
  };
  walk(value);
  return [...found];
}
