import type { ApiCall } from '../api-call.ts';
import { isTokenAlone, neededSchemes, type Scheme } from '../client-schemes.ts';
import type { ExampleCall } from '../example-call.ts';
import type { Group } from '../groups.ts';
import type { Model } from '../model.ts';
import { capitalised, snakeCase } from '../names.ts';
import { createValueText } from './example-value.ts';
import type { Types } from './python-models.ts';
import { dataType } from './python-operation.ts';
import { fieldName, methodText, pythonRepr, quoted } from './text.ts';

/** A program that calls an operation and prints what it is answered. */
export function pythonSample(
  model: Model,
  types: Types,
  group: Group,
  call: ApiCall,
  example: ExampleCall,
): string {
  const { text, classes } = callText(model, group, call, example, types);
  const whole = `${clientName(model)}.${text}`;
  const statement = dataType(call, types) === 'None' ? whole : `print(${whole})`;
  return `${head(model, classes, neededSchemes(model.schemes, call.security))}${statement}`;
}

/** A program that executes a GraphQL document. */
export function pythonDocumentSample(
  model: Model,
  { query, variables }: { readonly query: string; readonly variables: object | undefined },
): string {
  const given = variables ? `, ${pythonRepr(variables)}` : '';
  return `${head(model, [], [])}print(${clientName(model)}.graphql.execute(${quoted(query)}${given}))`;
}

/** A call with values from the contract, and the classes that it takes. */
export function callText(
  model: Model,
  group: Group,
  call: ApiCall,
  { path, body, options }: ExampleCall,
  types: Types,
): { readonly text: string; readonly classes: readonly string[] } {
  const { text, classes } = createValueText(types, model.components);
  const { kind = 'json', shape } = call.body ?? {};
  const isText = kind === 'text' || kind === 'binary' || kind === 'any';
  const content = isText || !shape ? pythonRepr(body) : text(body, shape, `${call.typeName}Body`);
  const keywords = call.options.filter(({ key }) => options[key] !== undefined);
  const given = [
    ...call.inPath.map(({ key, shape: own }, i) =>
      text(path[i], own, `${call.typeName}${capitalised(key)}`),
    ),
    ...(call.body && body !== undefined ? [bodyText(call.body.mediaType, kind, content)] : []),
    ...keywords.map(
      ({ key, shape: own }) =>
        `${fieldName(key)}=${text(options[key], own, `${call.typeName}${capitalised(key)}`)}`,
    ),
  ];
  const method = `${fieldName(group.name)}.${methodText(call.name)}(${given.join(', ')})`;
  const media = call.body?.mediaType.includes('*') ? ['MediaBody'] : [];
  return { text: method, classes: [...media, ...classes] };
}

/** An argument of the client with credentials to replace. */
export function credentialsText(all: readonly Scheme[], needed: readonly Scheme[]): string {
  if (needed.length === 0) return '';
  if (isTokenAlone(all)) return ', token=lambda: "my-token"';
  const given = needed.map(
    ({ name, kind }) =>
      `${quoted(name)}: ${kind === 'basic' ? '("me", "my-password")' : '"my-secret"'}`,
  );
  return `, credentials={${given.join(', ')}}`;
}

export const clientName = ({ title }: Model) => snakeCase(title);
export const moduleName = ({ packageName }: Model) => fieldName(packageName);

function head(model: Model, classes: readonly string[], needed: readonly Scheme[]): string {
  const { title, address, schemes } = model;
  const names = [title, ...new Set(classes)].join(', ');
  const options = `${quoted(address)}${credentialsText(schemes, needed)}`;
  return `from ${moduleName(model)} import ${names}

${clientName(model)} = ${title}(${options})

`;
}

function bodyText(mediaType: string, kind: string, content: string): string {
  const bytes = kind === 'binary' || kind === 'any' ? `b${content}` : content;
  if (!mediaType.includes('*')) return bytes;
  const type = mediaType === '*/*' ? 'application/octet-stream' : mediaType.replace('*', 'plain');
  return `MediaBody("${type}", ${bytes})`;
}
