import { generate } from '@graphql-codegen/cli';
import openapiTS, { astToString } from 'openapi-typescript';
import type { Sources } from '../contracts.ts';
import { graphqlCodes, type NamedOperation } from '../graphql-operations.ts';
import { graphqlPath, type Model, packageName } from '../model.ts';
import { camelCase, pascalCase } from '../names.ts';
import { className, groupFile } from './group.ts';
import { doc, mentioned, problemType } from './types.ts';

const head = '// Made from the contracts by `npm run sdk`: what is changed here is lost.\n';

/** The sources of the package, runtime aside, by file name. */
export async function typescriptFiles(
  model: Model,
  sources: Sources,
  operations: readonly NamedOperation[],
): Promise<Record<string, string>> {
  const groups = model.groups.filter(({ calls }) => calls.length > 0);
  const files: Record<string, string> = {
    'openapi.ts': await restTypes(sources),
    'refusals.ts': refusalsFile(model),
    'graphql-types.ts': await graphqlTypes(sources),
    'graphql.ts': graphqlFile(sources, operations),
    'client.ts': clientFile(model),
    'index.ts': indexFile(model, operations),
  };
  for (const group of groups) files[`groups/${group.name}.ts`] = groupFile(model, group);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, head + text]));
}

async function restTypes({ document }: Sources): Promise<string> {
  const nodes = await openapiTS(structuredClone(document) as never, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A field with a default may be left out of what is sent.
    defaultNonNullable: false,
    silent: true,
  });
  // Of the whole only the schemas are meant for those who use the SDK.
  return astToString(nodes);
}

async function graphqlTypes({ sdl, operations }: Sources): Promise<string> {
  const config = { enumsAsTypes: true, useTypeImports: true, skipTypename: true };
  const files = await generate(
    {
      schema: sdl,
      documents: operations,
      generates: { 'types.ts': { plugins: ['typescript-operations'], config } },
      silent: true,
    },
    false,
  );
  return String(files[0]?.content);
}

function graphqlFile({ document }: Sources, operations: readonly NamedOperation[]): string {
  const codes = graphqlCodes(document);
  const types = operations.map(resultType);
  const documents = operations.map(
    ({ name, about, text }, i) =>
      `${doc([about])}export const ${name}Document = new TypedDocument<${types[i]}, ${types[i]}Variables>(${literal(text)});\n`,
  );
  const functions = operations.map(
    ({ name, about }, i) =>
      `${doc([about], '  ')}  ${camelCase(name)}(...given: VariablesOf<${types[i]}Variables>): GraphqlCall<${types[i]}, GraphqlCode> {\n    return this.execute(${name}Document, ...given);\n  }\n`,
  );
  return [
    "import { type GraphqlCall, GraphqlEndpoint, TypedDocument, type VariablesOf } from './runtime/graphql.js';\n",
    `import type { ${resultTypes(operations).join(', ')} } from './graphql-types.js';\n\n`,
    doc(['What can go wrong with a GraphQL operation: the `code` of an error.']),
    `export type GraphqlCode = ${codes.map((code) => JSON.stringify(code)).join(' | ')};\n\n`,
    documents.join('\n'),
    `\n${doc(['The GraphQL operations by name, and any other with `execute`.'])}`,
    `export class Graphql extends GraphqlEndpoint<GraphqlCode> {\n${functions.join('\n')}}\n`,
  ].join('');
}

function refusalsFile(model: Model): string {
  const classes = model.errors.map((kind) => {
    const { status, className, descriptions } = kind;
    const type = problemType(kind);
    return `${doc([`${status}. ${descriptions.join(' ')}`])}export class ${className} extends ApiError<${type}> {\n  override readonly name = '${className}';\n  declare readonly status: ${status};\n}\n`;
  });
  const types = mentioned(model.errors.map(problemType).join(), Object.keys(model.schemas));
  const table = model.errors.map(({ status, className }) => `  ${status}: ${className},\n`);
  return [
    "import { ApiError } from './runtime/errors.js';\n",
    `import type { ${types.join(', ')} } from './openapi.js';\n\n`,
    classes.join('\n'),
    `\n// The contract has a type for the body of each status; what comes is held to it by the server.\ntype Refusal = new (operation: string, status: number, body: never, headers: Headers) => ApiError;\n\nconst classes: Readonly<Record<number, Refusal>> = {\n${table.join('')}};\n\n`,
    doc(['The error of the class that the contract has for a status.']),
    'export function refusal(operation: string, status: number, body: unknown, headers: Headers): ApiError {\n',
    '  return new (classes[status] ?? ApiError)(operation, status, body as never, headers);\n}\n',
  ].join('');
}

function clientFile(model: Model): string {
  const groups = model.groups.filter(({ calls }) => calls.length > 0);
  const { title } = model;
  return [
    ...groups.map((group) => `import { ${className(group)} } from './groups/${group.name}.js';\n`),
    "import { Graphql } from './graphql.js';\n",
    "import { refusal } from './refusals.js';\n",
    "import type { ClientOptions } from './runtime/options.js';\n",
    "import { Transport } from './runtime/transport.js';\n\n",
    doc(['The version of the contract that this was made from.']),
    `export const version = '${model.version}';\n\n`,
    doc(['What the server sends as `Contract-Digest` while it enforces the same contracts.']),
    `export const contractDigest = '${model.digest}';\n\n`,
    doc([model.summary]),
    `export class ${title} {\n`,
    ...groups.map(
      (group) => `${doc([group.about], '  ')}  readonly ${group.name}: ${className(group)};\n`,
    ),
    `${doc(['GraphQL operations.'], '  ')}  readonly graphql: Graphql;\n\n`,
    '  constructor(options: ClientOptions) {\n',
    `    const transport = new Transport(options, { userAgent: \`${packageName(model)}-typescript/\${version}\`, digest: contractDigest, refusal });\n`,
    ...groups.map((group) => `    this.${group.name} = new ${className(group)}(transport);\n`),
    `    this.graphql = new Graphql(transport, \`\${options.baseUrl.replace(/\\/+$/, '')}${graphqlPath}\`);\n`,
    '  }\n}\n',
  ].join('');
}

function indexFile(model: Model, operations: readonly NamedOperation[]): string {
  const groups = model.groups.filter(({ calls }) => calls.length > 0);
  return [
    "export * from './client.js';\n",
    ...groups.map(({ name }) => `export * from './groups/${name}.js';\n`),
    "export * from './graphql.js';\n",
    `export type { ${resultTypes(operations).join(', ')} } from './graphql-types.js';\n`,
    `export type { ${Object.keys(model.schemas).join(', ')} } from './openapi.js';\n`,
    `export { ${model.errors.map(({ className }) => className).join(', ')} } from './refusals.js';\n`,
    "export { Call, type Reply, type Result } from './runtime/call.js';\n",
    "export { ApiError, ConnectionError, TimeoutError } from './runtime/errors.js';\n",
    "export { type AnyDocument, type GraphqlFault, GraphqlRequestError, TypedDocument } from './runtime/graphql.js';\n",
    "export type { ClientOptions, RequestOptions } from './runtime/options.js';\n",
    "export { PagedList } from './runtime/pages.js';\n",
  ].join('');
}

const resultType = ({ name, kind }: NamedOperation) => `${name}${pascalCase(kind)}`;

function resultTypes(operations: readonly NamedOperation[]): string[] {
  return operations.map(resultType).flatMap((type) => [type, `${type}Variables`]);
}

function literal(text: string): string {
  return `\`${text.replaceAll(/[\\`$]/g, '\\$&')}\``;
}
