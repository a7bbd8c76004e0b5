import openapiTS, {
  astToString,
  COMMENT_HEADER,
  stringToAST,
  tsNullable,
} from 'openapi-typescript';
import ts from 'typescript';
import type { Contract } from '../../contract/contract.ts';
import { callbackItems, callbacksOf, callbackTypes } from './callback-types.ts';
import { hasMarks, preparedDocument, withoutNames } from './prepared-document.ts';
import { securityTypes } from './security-types.ts';

// A file of a form. It is text too: a JSON body may have the same schema.
const BINARY = 'export type Binary = string & { readonly format?: "binary" };';

/**
 * The types of a contract: those of openapi-typescript, and what it lacks: callbacks, security schemes and what each
 * operation requires of them.
 */
export async function contractTypes(contract: Contract): Promise<string> {
  const document = preparedDocument(contract);
  const callbacks = callbacksOf(document);
  let hasFiles = false;
  const webhooks = { ...document.webhooks, ...callbackItems(callbacks) };
  const source = {
    ...document,
    ...(Object.keys(webhooks).length > 0 && { webhooks: withoutNames(webhooks) }),
  };
  // Its types want OpenAPI spelt out in full.
  const nodes = await openapiTS(source as never, {
    silent: true,
    emptyObjectsUnknown: true,
    readWriteMarkers: hasMarks(document),
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
