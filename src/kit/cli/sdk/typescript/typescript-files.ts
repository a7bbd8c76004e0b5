import { isTokenAlone, type Scheme } from '../../../sdk/client-schemes.ts';
import { graphqlPath, type Model } from '../../../sdk/model.ts';
import { doc, keyText, problemType } from '../../../sdk/typescript/types.ts';
import type { Graphql } from '../graphql-operations.ts';
import type { Sources } from '../sdk-sources.ts';
import { mentioned } from './mentioned-names.ts';
import { groupFile } from './typescript-group.ts';
import { modelsFile } from './typescript-models.ts';

const head = '// Made from the contracts by `accord sdk`: what is changed here is lost.\n';

/** The sources of the package, runtime aside, by file name. */
export async function typescriptFiles(
  model: Model,
  { sdl }: Sources,
  graphql: Graphql | undefined,
): Promise<Record<string, string>> {
  const groups = model.groups.filter(({ calls }) => calls.length > 0);
  const files: Record<string, string> = {
    'openapi.ts': modelsFile(model),
    'refusals.ts': refusalsFile(model),
    'client.ts': clientFile(model),
    'index.ts': await indexFile(model, graphql),
  };
  if (graphql) {
    // Loaded only where there is an SDL.
    const { graphqlFile, graphqlTypes } = await import('./graphql-file.ts');
    files['graphql-types.ts'] = await graphqlTypes(sdl, graphql.operations);
    files['graphql.ts'] = graphqlFile(graphql);
  }
  for (const group of groups) files[`groups/${group.name}.ts`] = groupFile(model, group);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, head + text]));
}

function refusalsFile(model: Model): string {
  const classes = model.errors.map((kind) => {
    const { status, className, descriptions } = kind;
    const type = problemType(kind);
    return `${doc([`${status}. ${descriptions.join(' ')}`])}export class ${className} extends ApiError<${type}> {\n  override readonly name = '${className}';\n  declare readonly status: ${status};\n}\n`;
  });
  const types = mentioned(
    model.errors.map(problemType).join(),
    model.components.map(({ name }) => name),
  );
  const table = model.errors.map(({ status, className }) => `  ${status}: ${className},\n`);
  return [
    "import { ApiError } from './runtime/errors.js';\n",
    types.length > 0 ? `import type { ${types.join(', ')} } from './openapi.js';\n\n` : '\n',
    classes.join('\n'),
    `\n// The contract has a type for the body of each status; what comes is held to it by the server.\ntype Refusal = new (operation: string, status: number, body: never, headers: Headers) => ApiError;\n\nconst classes: Readonly<Record<number, Refusal>> = {\n${table.join('')}};\n\n`,
    doc(['The error of the class that the contract has for a status.']),
    'export function refusal(operation: string, status: number, body: unknown, headers: Headers): ApiError {\n',
    '  return new (classes[status] ?? ApiError)(operation, status, body as never, headers);\n}\n',
  ].join('');
}

function clientFile(model: Model): string {
  const groups = model.groups.filter(({ calls }) => calls.length > 0);
  const { title, schemes, hasGraphql } = model;
  const isPlain = isTokenAlone(schemes);
  const identity = [
    `userAgent: \`${model.packageName}-typescript/${model.packageVersion}\``,
    'digest: contractDigest',
    ...(isPlain ? [] : ['schemes']),
    'refusal',
  ];
  return [
    ...groups.map((group) => `import { ${group.className} } from './groups/${group.name}.js';\n`),
    hasGraphql ? "import { Graphql } from './graphql.js';\n" : '',
    "import { refusal } from './refusals.js';\n",
    isPlain ? '' : credentialImports(schemes),
    "import type { ClientOptions } from './runtime/options.js';\n",
    "import { Transport } from './runtime/transport.js';\n\n",
    doc(['The version of the contract that this was made from.']),
    `export const version = ${JSON.stringify(model.version)};\n\n`,
    doc(['What the server sends as `Contract-Digest` while it enforces the same contracts.']),
    `export const contractDigest = '${model.digest}';\n\n`,
    isPlain ? '' : credentials(model),
    doc([model.summary]),
    `export class ${title} {\n`,
    ...groups.map(
      (group) => `${doc([group.about], '  ')}  readonly ${group.name}: ${group.className};\n`,
    ),
    hasGraphql ? `${doc(['GraphQL operations.'], '  ')}  readonly graphql: Graphql;\n` : '',
    `\n  constructor(options: ${isPlain ? 'ClientOptions' : `${title}Options`}) {\n`,
    `    const transport = new Transport(options, { ${identity.join(', ')} });\n`,
    ...groups.map((group) => `    this.${group.name} = new ${group.className}(transport);\n`),
    hasGraphql
      ? `    this.graphql = new Graphql(transport, \`\${options.baseUrl.replace(/\\/+$/, '')}${graphqlPath}\`);\n`
      : '',
    '  }\n}\n',
  ].join('');
}

function credentialImports(schemes: readonly Scheme[]): string {
  const types = ['type Scheme'];
  if (schemes.some(({ kind }) => kind !== 'basic')) types.push('type Secret');
  if (schemes.some(({ kind }) => kind === 'basic')) types.push('type UserAndPassword');
  return `import type { ${types.map((each) => each.replace('type ', '')).join(', ')} } from './runtime/credentials.js';\n`;
}

/** What the schemes of the contract are given, and how they carry it. */
function credentials({ title, schemes }: Model): string {
  const members = schemes.map(
    ({ name, kind }) =>
      `    readonly ${keyText(name)}?: ${kind === 'basic' ? 'UserAndPassword' : 'Secret'} | undefined;\n`,
  );
  const table = schemes.map((scheme) => {
    const { kind } = scheme;
    const text = kind === 'key' ? { kind, in: scheme.in, name: scheme.key } : { kind };
    return `  ${keyText(scheme.name)}: ${JSON.stringify(text)},\n`;
  });
  return [
    `export interface ${title}Options extends ClientOptions {\n`,
    doc(['Credentials by the names that the contract has for them.'], '  '),
    `  readonly credentials?: {\n${members.join('')}  } | undefined;\n}\n\n`,
    `const schemes: Readonly<Record<string, Scheme>> = {\n${table.join('')}};\n\n`,
  ].join('');
}

async function indexFile(model: Model, graphql: Graphql | undefined): Promise<string> {
  const groups = model.groups.filter(({ calls }) => calls.length > 0);
  const operations = graphql?.operations ?? [];
  const names = model.components.map(({ name }) => name);
  const errors = model.errors.map(({ className }) => className);
  const list = (kind: string, all: readonly string[], file: string) =>
    all.length > 0 ? `export ${kind}{ ${all.join(', ')} } from '${file}';\n` : '';
  const types = graphql ? (await import('./graphql-file.ts')).resultTypes(operations) : [];
  return [
    "export * from './client.js';\n",
    ...groups.map(({ name }) => `export * from './groups/${name}.js';\n`),
    graphql ? "export * from './graphql.js';\n" : '',
    list('type ', types, './graphql-types.js'),
    graphql && operations.length === 0
      ? "export type * as GraphqlTypes from './graphql-types.js';\n"
      : '',
    list('type ', names, './openapi.js'),
    list('', errors, './refusals.js'),
    "export { type Binary, MediaBody } from './runtime/body.js';\n",
    "export { Call, type Reply, type Result } from './runtime/call.js';\n",
    "export type { Secret, UserAndPassword } from './runtime/credentials.js';\n",
    "export { ApiError, ConnectionError, TimeoutError } from './runtime/errors.js';\n",
    graphql
      ? "export { type AnyDocument, type GraphqlFault, GraphqlRequestError, TypedDocument } from './runtime/graphql.js';\n"
      : '',
    "export type { ClientOptions, RequestOptions } from './runtime/options.js';\n",
    "export { PagedList } from './runtime/pages.js';\n",
  ].join('');
}
