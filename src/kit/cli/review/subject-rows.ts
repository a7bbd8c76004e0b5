import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { type Document, isObject, methods, resolve } from '../../contract/openapi-document.ts';
import { operationOf } from '../../contract/operation.ts';
import type { Subject } from './change.ts';
import { schemaIn } from './operation-parts.ts';
import { flattened } from './schema-form.ts';
import { type Schema, schemaText, typesOf } from './schema-text.ts';

/** A part of an operation or a type as docs show it, by its name. */
export type Rows = ReadonlyMap<string, string>;

/** The parts of a subject in a REST description; none where it has no such subject. */
export function restRows(document: Document | undefined, { kind, name }: Subject): Rows {
  if (!document) return new Map();
  if (kind === 'operation') return operationRows(document, name);
  const { schemas, parameters, headers, responses, requestBodies } = Object(document.components);
  const schema = schemas?.[name];
  if (schema !== undefined) return new Map(schemaRows(document, schema));
  const shared = [parameters, headers, responses, requestBodies].map((each) => each?.[name]);
  const found = Object(shared.find((each) => each !== undefined));
  if (found.content) return new Map(contentRows(document, 'content', found));
  return found.schema
    ? new Map([[String(found.name ?? name), partText(document, found)]])
    : new Map();
}

function operationRows(document: Document, name: string): Rows {
  const [verb = '', path = ''] = name.split(' ');
  const method = methods.find((each) => each === verb.toLowerCase());
  if (!method || !document.paths[path]?.[method]) return new Map();
  const { parameters, object, responses, security, deprecated } = operationOf(
    document,
    path,
    method,
  );
  const body = object.requestBody && resolve(document, object.requestBody);
  return new Map([
    ...(deprecated ? [['deprecated', 'yes'] as const] : []),
    ...parameters.map(
      (each) =>
        [
          `${each.in} ${each.name}`,
          partText(document, { ...each.object, required: each.required }),
        ] as const,
    ),
    ...(body ? contentRows(document, 'body', body) : []),
    ...[...responses].flatMap(([status, response]) => [
      ...contentRows(document, `answer ${status}`, response),
      ...Object.entries(response.headers ?? {}).map(
        ([header, each]) =>
          [
            `answer ${status} header ${header}`,
            partText(document, resolve<Schema>(document, each)),
          ] as const,
      ),
    ]),
    [
      'credentials',
      security.map((each) => Object.keys(each).join(' and ') || 'none').join(' or ') || 'none',
    ],
  ]);
}

function contentRows(
  document: Document,
  name: string,
  part: object,
): (readonly [string, string])[] {
  const { content = {}, required, description = '' } = Object(part);
  const media = Object.entries<Schema>(content);
  if (media.length === 0) return [[name, String(description) || 'no body']];
  return media.flatMap(([type, { schema }], i) => {
    const own = isObject(schema) && !schema.$ref ? schemaRows(document, schema) : [];
    const need = name !== 'body' ? '' : required === true ? ', required' : ', optional';
    const text = `${type}: ${schemaText(schema)}${need}`;
    return [
      [i === 0 ? name : `${name} (${type})`, text] as const,
      ...(i === 0 ? own.map(([key, value]) => [`${name} ${key}`, value] as const) : []),
    ];
  });
}

function schemaRows(document: Document, written: unknown): (readonly [string, string])[] {
  const schema = flattened(document, Object(written));
  const required = new Set([schema.required ?? []].flat());
  const members = Object.entries(Object(schema.properties)).map(
    ([name, each]) =>
      [
        name,
        `${typeText(document, each)}${required.has(name) ? ', required' : ', optional'}`,
      ] as const,
  );
  return members.length > 0 ? members : [['value', schemaText(schema)]];
}

/** A schema in words; behind the name of a plain value stands what it may be. */
function typeText(document: Document, schema: unknown): string {
  const text = schemaText(schema);
  if (!isObject(schema) || !schema.$ref) return text;
  const value = resolve<Schema>(document, schema);
  const isPlain = typesOf(value).every((type) => type !== 'object' && type !== 'array');
  return isPlain && value.type ? `${text}: ${schemaText(value)}` : text;
}

function partText(document: Document, part: Schema): string {
  const text = typeText(document, schemaIn(part));
  // Only parameters say where they are; a header of an answer may be left out without a word.
  const need = part.required === true ? ', required' : part.in ? ', optional' : '';
  return `${text}${need}${part.deprecated === true ? ', deprecated' : ''}`;
}

/** The parts of a subject in a GraphQL schema; none where it has no such subject. */
export function graphqlRows(schema: GraphQLSchema | undefined, { name: subject }: Subject): Rows {
  const [name = '', member] = subject.split('.');
  const type = schema?.getType(name);
  if (isEnumType(type)) {
    return new Map(type.getValues().map((each) => [each.name, each.deprecationReason ?? 'value']));
  }
  if (isUnionType(type)) return new Map(type.getTypes().map((each) => [each.name, 'type']));
  if (isInputObjectType(type)) {
    return new Map(Object.values(type.getFields()).map((each) => [each.name, inputText(each)]));
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return new Map();
  const fields = Object.values(type.getFields());
  if (!member) return new Map(fields.map((each) => [each.name, String(each.type)]));
  const field = fields.find((each) => each.name === member);
  if (!field) return new Map();
  return new Map([
    ...field.args.map((each) => [`argument ${each.name}`, inputText(each)] as const),
    ['answer', String(field.type)] as const,
  ]);
}

type Input = {
  readonly type: unknown;
  readonly astNode?:
    | {
        readonly loc?:
          | {
              readonly source: { readonly body: string };
              readonly start: number;
              readonly end: number;
            }
          | undefined;
      }
    | null
    | undefined;
};

/** As the SDL has it, with its default and its bounds. */
function inputText({ type, astNode }: Input): string {
  const loc = astNode?.loc;
  const written = loc?.source.body
    .slice(loc.start, loc.end)
    .replaceAll(/"""[\s\S]*?"""|"[^"\n]*"\s*(?=\w+:)/g, '');
  return written
    ? written
        .slice(written.indexOf(':') + 1)
        .replaceAll(/\s+/g, ' ')
        .trim()
    : String(type);
}
