import { getNamedType, isLeafType, isRequiredArgument } from 'graphql';
import type { ApiCall } from '../../../sdk/api-call.ts';
import { isTokenAlone } from '../../../sdk/client-schemes.ts';
import { createExampleCalls, firstCall } from '../../../sdk/example-call.ts';
import type { Group } from '../../../sdk/groups.ts';
import { errorClass, graphqlPath, isNumber, type Model } from '../../../sdk/model.ts';
import { camelCase, iterationName } from '../../../sdk/names.ts';
import { argumentsText, isRange, shown } from '../../../sdk/typescript/example-text.ts';
import { dataType } from '../../../sdk/typescript/types.ts';
import { credentialsText, printed } from '../../../sdk/typescript/typescript-sample.ts';
import type { Graphql } from '../graphql-operations.ts';
import type { Sources } from '../sdk-sources.ts';
import { block, everything, resent } from './typescript-readme-parts.ts';

/** What the package of any contract says about itself. */
export function plainReadme(model: Model, sources: Sources, graphql: Graphql | undefined): string {
  const { title, packageName: name } = model;
  const api = camelCase(title);
  const operations = graphql?.operations ?? [];
  const calls = model.groups.flatMap((group) => group.calls.map((call) => ({ call, group })));
  const chosen = firstCall(calls.map(({ call }) => call));
  const first = calls.find(({ call }) => call === chosen);
  const start = (more = '') =>
    `const ${api} = new ${title}({ baseUrl: ${JSON.stringify(model.address)}${more} });`;
  const imports = (...names: string[]) => `import { ${names.join(', ')} } from '${name}';\n`;
  const text = first && callText(api, first.group, first.call, sources);
  const sections = [
    `# ${name}

${model.summary.trim()}

This is the client of version ${model.version} for TypeScript and JavaScript: ESM, without dependencies, for Node 20.3
and newer and whatever else has \`fetch\`. It is made from the server's contracts, and so are its types.

\`\`\`sh
npm install ${name}
\`\`\``,
    first &&
      block(
        `${imports(...(isRange(first.call) ? ['MediaBody'] : []), title)}\n${start()}\n\n${printed(text ?? '', dataType(first.call) !== 'undefined')}`,
      ),
    first && refusals(first.call, imports, start, title, text ?? ''),
    credentials(model, imports, start),
    bodies(model),
    pages(model, api),
    graphql && graphqlSection(model, graphql, api, imports, start),
    `## Options

\`timeout\`, \`retries\`, \`headers\` and \`signal\` can be given with each call; \`timeout\`, \`retries\`, \`maxDelay\`, \`headers\`,
\`fetch\`, \`token\` and \`onWarning\` with the client. \`.withResponse()\` of a call gives status and headers too, \`.result()\`
a value instead of an error.`,
    resent.trimEnd(),
    leftOut([...model.leftOut, ...(graphql?.leftOut ?? [])]),
    calls.length + operations.length > 0 ? everything(model, api, operations).trimEnd() : undefined,
  ];
  return `${sections.filter((each) => each).join('\n\n')}\n`;
}

/** A call with values from the contract. */
function callText(api: string, group: Group, call: ApiCall, sources: Sources): string {
  const given = argumentsText(call, createExampleCalls(sources)(call));
  return `${api}.${group.name}.${call.name}(${given})`;
}

function refusals(
  { refusals: all }: ApiCall,
  imports: (...names: string[]) => string,
  start: () => string,
  title: string,
  text: string,
): string {
  const status = all.map((each) => each.status).find(isNumber);
  const kind = status === undefined ? 'ApiError' : errorClass(status);
  return `## When it is refused

Each status that the contract knows has a class of its own; any other is an \`ApiError\`.

${block(`${imports(title, kind)}
${start()}

try {
  await ${text};
} catch (error) {
  if (!(error instanceof ${kind})) throw error;
  console.log(error.status, error.problem);
}`)}

No answer at all is a \`ConnectionError\`, none in time a \`TimeoutError\`.`;
}

function credentials(
  { schemes, title }: Model,
  imports: (...names: string[]) => string,
  start: (more: string) => string,
): string | undefined {
  if (schemes.length === 0) return undefined;
  const options = credentialsText(schemes, schemes);
  if (isTokenAlone(schemes))
    return `## Credentials\n\n${block(`${imports(title)}\n${start(options)}`)}`;
  const hasCookie = schemes.some((scheme) => scheme.kind === 'key' && scheme.in === 'cookie');
  const cookies = hasCookie
    ? ' Browsers send cookies of their own instead of those given here.'
    : '';
  return `## Credentials

Of the alternatives of an operation, the first is used for which all credentials are given. A key or a token may also be a
function, which is asked anew for every attempt; \`token\` stands for every scheme with bearer tokens.${cookies}

${block(`${imports(title)}\n${start(options)}`)}`;
}

function bodies({ groups }: Model): string | undefined {
  const call = groups
    .flatMap((group) => group.calls.map((each) => ({ group, each })))
    .find(({ each }) => each.body && each.body.others.length > 0);
  if (!call) return undefined;
  const { others = [] } = call.each.body ?? {};
  return `## Several media types

Where an operation takes bodies of several media types, the SDK sends the first that it knows best, JSON before others.
Another one is named: \`new MediaBody('${others[0]?.mediaType}', …)\` for \`${call.group.name}.${call.each.name}\`. Of the media
types of an answer it asks for JSON, if that is declared.`;
}

function pages({ groups }: Model, api: string): string | undefined {
  const found = groups
    .flatMap((group) => group.calls.map((call) => ({ group, call })))
    .find(({ call }) => call.pageOf);
  if (!found) return undefined;
  const method = `${api}.${found.group.name}.${iterationName(found.call.name)}`;
  return `## Lists, page by page\n\n\`for await (const each of ${method}(…))\` takes one after the other, and fetches pages as they are asked for.`;
}

function graphqlSection(
  { title, packageName }: Model,
  { schema, operations }: Graphql,
  api: string,
  imports: (...names: string[]) => string,
  start: () => string,
): string {
  const [first] = operations;
  const variables = first && Object.keys(first.variables).length > 0 ? shown(first.variables) : '';
  const query = schema.getQueryType();
  const leaf = Object.values(query?.getFields() ?? {}).find(
    ({ args, type }) => !args.some(isRequiredArgument) && isLeafType(getNamedType(type)),
  );
  const type = leaf
    ? `Pick<GraphqlTypes.${query?.name}, '${leaf.name}'>`
    : '{ readonly __typename: string }';
  const example = first
    ? `const data = await ${api}.graphql.${camelCase(first.name)}(${variables});\nconsole.log(data);`
    : `const data = await ${api}.graphql.execute<${type}>('{ ${leaf?.name ?? '__typename'} }');\nconsole.log(data);`;
  const names = first || !leaf ? [title] : ['type GraphqlTypes', title];
  const typed = first
    ? 'The operations that are kept beside the schema are functions; `execute` takes any other document.'
    : '`execute` takes any document; `GraphqlTypes` has the types of the schema.';
  return `## GraphQL

${typed} Documents that graphql-codegen makes of your own (\`documentMode: 'string'\`) bring their types along.
They are sent to \`${graphqlPath}\` below the base URL.

${block(`${imports(...names)}\n${start()}\n\n${example}`)}

\`${packageName}/schema.graphql\` is the schema. An operation that fails is a \`GraphqlRequestError\` with a \`code\`.
There are no subscriptions in this SDK.`;
}

function leftOut(lines: readonly string[]): string | undefined {
  if (lines.length === 0) return undefined;
  return `## What it lacks\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
