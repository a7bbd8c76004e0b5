import type { Contract } from '../../contract/contract.ts';
import {
  type Document,
  type HeaderObject,
  isObject,
  methods,
  resolve,
} from '../../contract/openapi-document.ts';

type Node = Record<string, unknown>;

/** The document as openapi-typescript has to see it to make the right types of it. */
export function preparedDocument({ document, operations }: Contract): Document {
  const copy = structuredClone(document);
  for (const { id, method, path } of operations) {
    const { [method.toLowerCase()]: operation }: Node = { ...copy.paths[path] };
    // The reader makes a name where there is none.
    if (isObject(operation)) operation.operationId = id;
  }
  walk(copy, (node, key) => {
    if (key === 'headers') inlineOptional(document, node);
    if (isObject(node.discriminator)) expandMapping(document, node.discriminator);
  });
  return copy;
}

/** Whether something in the document is read-only or write-only. */
export function hasMarks(document: Document): boolean {
  let isMarked = false;
  walk(document, ({ readOnly, writeOnly }) => {
    isMarked ||= readOnly === true || writeOnly === true;
  });
  return isMarked;
}

/** The server calls webhooks and callbacks: a name would put them among the operations, which have handlers. */
export function withoutNames(items: Readonly<Node>): Node {
  const copy = structuredClone(items);
  for (const item of Object.values(copy).filter(isObject)) {
    for (const call of methods.map((method) => item[method]).filter(isObject)) {
      delete call.operationId;
    }
  }
  return copy;
}

function walk(node: unknown, visit: (node: Node, key: string) => void, key = ''): void {
  if (!isObject(node)) return;
  visit(node, key);
  for (const [name, child] of Object.entries(node)) walk(child, visit, name);
}

/** A header that is referred to is always there, openapi-typescript thinks. */
function inlineOptional(document: Document, headers: Node): void {
  for (const [name, header] of Object.entries(headers)) {
    const { $ref } = Object(header);
    if (typeof $ref !== 'string') continue;
    const resolved = resolve<HeaderObject>(document, { $ref });
    if (!resolved.required) headers[name] = structuredClone(resolved);
  }
}

/** A mapping may name a schema without its place; openapi-typescript takes it for a file. */
function expandMapping(document: Document, { mapping }: Node): void {
  if (!isObject(mapping)) return;
  const { schemas = {} } = document.components ?? {};
  for (const [value, name] of Object.entries(mapping)) {
    if (Object.hasOwn(schemas, String(name))) mapping[value] = `#/components/schemas/${name}`;
  }
}
