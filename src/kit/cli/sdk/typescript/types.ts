import type { ApiCall, Payload } from '../api-call.ts';
import type { ErrorKind } from '../model.ts';
import { camelCase, pascalCase } from '../names.ts';
import { isJson } from '../payload.ts';
import { nameOf, type Schema, typesOf } from '../schema.ts';
import { wrapped } from '../wrap.ts';

const plain: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript type of a schema that stands in an operation; components are known by their names. */
export function typeOf(schema: Schema): string {
  const name = nameOf(schema);
  if (name) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  const union = schema.oneOf ?? schema.anyOf;
  if (union) return union.map(typeOf).join(' | ');
  const types = typesOf(schema).map((type) =>
    type === 'array' ? `(${typeOf(schema.items ?? {})})[]` : (plain[type] ?? 'unknown'),
  );
  return types.length === 0 || types.includes('unknown') ? 'unknown' : types.join(' | ');
}

export function payloadType(payload: Payload | undefined): string {
  if (!payload) return 'undefined';
  return isJson(payload.mediaType) ? typeOf(payload.schema) : 'string';
}

/** What a call gives: the bodies of the statuses that are not redirections. */
export function dataType({ replies }: ApiCall): string {
  const types = replies
    .filter(({ status }) => status < 300)
    .map((each) => payloadType(each.payload));
  return [...new Set(types)].join(' | ') || 'undefined';
}

export function headersType({ replyHeaders }: ApiCall): string {
  if (replyHeaders.length === 0) return 'Record<never, never>';
  const members = replyHeaders.map(
    ({ name, required, schema }) =>
      `readonly ${camelCase(name)}${required ? '' : '?'}: ${typeOf(schema)}${required ? '' : ' | undefined'}`,
  );
  return `{ ${members.join('; ')} }`;
}

export const optionsType = ({ operationId }: ApiCall) => `${pascalCase(operationId)}Options`;
export const failureType = ({ operationId }: ApiCall) => `${pascalCase(operationId)}Failure`;

export function problemType({ schemas }: ErrorKind): string {
  return schemas.map(typeOf).join(' | ') || 'undefined';
}

/** The names that a text of types mentions; what stands in comments and in quotes does not count. */
export function mentioned(text: string, names: readonly string[]): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|'[^'\n]*'|"[^"\n]*"/g, '');
  return names.filter((name) => new RegExp(`(?<!\\.)\\b${name}\\b`).test(code));
}

/** A comment for editors to show, indented as given. */
export function doc(lines: readonly string[], indent = ''): string {
  const text = wrapped(lines.join('\n').trim().replaceAll('*/', '*\\/'), 98 - indent.length);
  if (text.length === 1) return `${indent}/** ${text[0]} */\n`;
  return `${indent}/**\n${text.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
