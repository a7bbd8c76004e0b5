import { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { type Document, isObject, methods, resolve } from '../../contract/openapi-document.ts';

/** One request that the server makes to an address which a client has given. */
type Callback = {
  /** The operation, the name of the callback, and the expression for its address. */
  readonly place: readonly [operation: string, name: string, expression: string];
  readonly item: unknown;
};

/** The callbacks of a document whose operations all have names. */
export function callbacksOf(document: Document): Callback[] {
  return Object.values(document.paths)
    .flatMap((item) => methods.flatMap((method) => item[method] ?? []))
    .flatMap((operation) => {
      const { operationId, callbacks } = Object(operation);
      return Object.entries(Object(callbacks))
        .flatMap(([name, callback]) => (isObject(callback) ? [[name, callback] as const] : []))
        .flatMap(([name, callback]) =>
          Object.entries(resolve(document, callback))
            .filter(([expression]) => !expression.startsWith('x-'))
            .map(
              ([expression, item]) => ({ place: [operationId, name, expression], item }) as const,
            ),
        );
    });
}

// openapi-typescript knows no callbacks: they pass through it among the webhooks.
const keyOf = ({ place }: Callback) => `callback ${JSON.stringify(place)}`;

export function callbackItems(callbacks: readonly Callback[]): Record<string, unknown> {
  return Object.fromEntries(callbacks.map((each) => [keyOf(each), each.item]));
}

/** Takes the callbacks out of the webhooks: `callbacks[operation][name][expression]`. */
export function callbackTypes(
  nodes: readonly ts.Node[],
  callbacks: readonly Callback[],
): { readonly others: readonly ts.Node[]; readonly text: string } {
  if (callbacks.length === 0) return { others: nodes, text: '' };
  const members = new Map<string, ts.PropertySignature>();
  const others = nodes.map((node) => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'webhooks') return node;
    for (const member of node.members.filter(ts.isPropertySignature)) {
      members.set(nameOf(member), member);
    }
    const keys = new Set(callbacks.map(keyOf));
    const webhooks = node.members.filter(
      (each) => !ts.isPropertySignature(each) || !keys.has(nameOf(each)),
    );
    return ts.factory.createInterfaceDeclaration(
      node.modifiers,
      node.name,
      undefined,
      undefined,
      webhooks,
    );
  });
  const entries = callbacks.map((callback) => ({
    names: [...callback.place],
    type: typeText(members.get(keyOf(callback))),
  }));
  return { others, text: `export interface callbacks ${nested(entries)}\n` };
}

type Entry = { readonly names: readonly string[]; readonly type: string };

function nested(entries: readonly Entry[]): string {
  const [first] = entries;
  if (first?.names.length === 0) return first.type;
  const groups = Map.groupBy(entries, ({ names }) => names[0]);
  const members = [...groups].map(([name, group]) => {
    const below = group.map(({ names, type }) => ({ names: names.slice(1), type }));
    return `${JSON.stringify(name)}: ${nested(below)};`;
  });
  return `{ ${members.join(' ')} }`;
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : '';
}

function typeText(member: ts.PropertySignature | undefined): string {
  return member?.type ? astToString(member.type).trim() : 'never';
}
