import openapiTS, {
  astToString,
  COMMENT_HEADER,
  stringToAST,
  tsNullable,
} from 'openapi-typescript';
import ts from 'typescript';
import type { Contract } from '../../src/kit/contract/contract.ts';
import { type Document, isObject, methods } from '../../src/kit/contract/openapi-document.ts';
import { callbackItems, callbacksOf, callbackTypes } from './callback-types.ts';
import { securityTypes } from './security-types.ts';

// A file of a form. It is text too: a JSON body may have the same schema.
const BINARY = 'export type Binary = string & { readonly format?: "binary" };';

/**
 * The types of a contract: those of openapi-typescript, and what it lacks: callbacks, security schemes and what each
 * operation requires of them.
 */
export async function contractTypes(contract: Contract): Promise<string> {
  const document = named(contract);
  const callbacks = callbacksOf(document);
  let hasFiles = false;
  const webhooks = { ...document.webhooks, ...callbackItems(callbacks) };
  const source = {
    ...document,
    ...(Object.keys(webhooks).length > 0 && { webhooks: unnamed(webhooks) }),
  };
  // Its types want OpenAPI spelt out in full.
  const nodes = await openapiTS(source as never, {
    silent: true,
    transform(schema) {
      if (!isFile(schema)) return undefined;
      hasFiles = true;
      const file = ts.factory.createTypeReferenceNode('Binary');
      return [Object(schema).type].flat().includes('null') ? tsNullable([file]) : file;
    },
  });
  const { others, text } = callbackTypes(nodes, callbacks);
  const files = hasFiles ? stringToAST(BINARY) : [];
  // Declarations, whatever the types of its parser say.
  const types = astToString([...files, ...others] as ts.Node[]);
  return `${COMMENT_HEADER}${types}${text}${securityTypes(contract)}`;
}

/** `format: binary` of OpenAPI 3.0, `contentMediaType` of 3.1. */
function isFile(schema: object): boolean {
  const { type, format, contentMediaType, contentEncoding } = Object(schema);
  if (![type].flat().includes('string')) return false;
  const isText = /^text\/|[/+](json|xml)($|;)/.test(contentMediaType);
  const isBinary = typeof contentMediaType === 'string' && !contentEncoding && !isText;
  return format === 'binary' || isBinary;
}

/** The document in which each operation has its name, also where the reader made it. */
function named({ document, operations }: Contract): Document {
  const paths: Record<string, Record<string, unknown>> = structuredClone(document.paths);
  for (const { id, method, path } of operations) {
    const item = paths[path]?.[method.toLowerCase()];
    if (isObject(item)) item.operationId = id;
  }
  return { ...document, paths };
}

/** The server calls webhooks and callbacks: a name would put them among the operations, which have handlers. */
function unnamed(items: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(items);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, isObject(item) ? withoutNames(item) : item]),
  );
}

function withoutNames(item: Record<string, unknown>): Record<string, unknown> {
  const calls = methods
    .filter((method) => isObject(item[method]))
    .map((method) => {
      const { operationId: _, ...call } = Object(item[method]);
      return [method, call];
    });
  return { ...item, ...Object.fromEntries(calls) };
}
