import type { ApiCall } from '../../../sdk/api-call.ts';
import { isTokenAlone } from '../../../sdk/client-schemes.ts';
import { createExampleCalls, firstCall } from '../../../sdk/example-call.ts';
import { errorClass, graphqlPath, isNumber, type Model } from '../../../sdk/model.ts';
import { snakeCase } from '../../../sdk/names.ts';
import type { Types } from '../../../sdk/python/python-models.ts';
import { dataType } from '../../../sdk/python/python-operation.ts';
import { callText, credentialsText, moduleName } from '../../../sdk/python/python-sample.ts';
import { fieldName, pythonRepr, quoted } from '../../../sdk/python/text.ts';
import type { Graphql } from '../graphql-operations.ts';
import type { Sources } from '../sdk-sources.ts';
import { block, everything, resent } from './python-readme-parts.ts';

/** What the package of any contract says about itself. */
export function plainReadme(
  model: Model,
  sources: Sources,
  types: Types,
  graphql: Graphql | undefined,
): string {
  const { title, packageName } = model;
  const api = snakeCase(title);
  const operations = graphql?.operations ?? [];
  const calls = model.groups.flatMap((group) => group.calls.map((call) => ({ call, group })));
  const chosen = firstCall(calls.map(({ call }) => call));
  const first = calls.find(({ call }) => call === chosen);
  const imports = (...names: string[]) => `from ${moduleName(model)} import ${names.join(', ')}\n`;
  const start = (more = '') => `${api} = ${title}(${quoted(model.address)}${more})`;
  const made =
    first &&
    callText(model, first.group, first.call, createExampleCalls(sources)(first.call), types);
  const isEmpty = first && dataType(first.call, types) === 'None';
  const sections = [
    `# ${packageName}

${model.summary.trim()}

This is the client of version ${model.version} for Python 3.11 and newer. It is made from the server's contracts, and so are
its types. It needs [httpx](https://www.python-httpx.org) and nothing else.

\`\`\`sh
pip install ${packageName}
\`\`\``,
    made &&
      block(
        `${imports(title, ...made.classes)}\n${start()}\n\n${isEmpty ? `${api}.${made.text}` : `print(${api}.${made.text})`}`,
      ),
    `\`Async${title}\` is the same with \`await\`.`,
    made &&
      refusals(
        first.call,
        `${api}.${made.text}`,
        (kind) => `${imports(title, kind, ...made.classes)}\n${start()}`,
      ),
    credentials(model, `${imports(title)}\n`, start),
    graphql && graphqlSection(graphql, api, `${imports(title)}\n${start()}`),
    `## Options

\`timeout\`, \`retries\` and \`headers\` can be given with each call and with the client. \`MediaBody(media_type, content)\` is a
body of another media type than the one that an operation takes first, \`Upload(content, name)\` a file of a form. Fields
that may be left out are None.`,
    resent.trimEnd(),
    leftOut([...model.leftOut, ...(graphql?.leftOut ?? [])]),
    calls.length + operations.length > 0 ? everything(model, api, operations).trimEnd() : undefined,
  ];
  return `${sections.filter((each) => each).join('\n\n')}\n`;
}

function refusals(
  { refusals: all }: ApiCall,
  text: string,
  start: (kind: string) => string,
): string {
  const status = all.map((each) => each.status).find(isNumber);
  const kind = status === undefined ? 'ApiError' : errorClass(status);
  return `## When it is refused

Each status that the contract knows has a class of its own; any other is an \`ApiError\`.

${block(`${start(kind)}

try:
    ${text}
except ${kind} as error:
    print(error.status, error.problem)`)}

No answer at all is an \`ApiConnectionError\`, none in time an \`ApiTimeoutError\`.`;
}

function credentials(
  { schemes }: Model,
  imports: string,
  start: (more: string) => string,
): string | undefined {
  if (schemes.length === 0) return undefined;
  const options = credentialsText(schemes, schemes);
  if (isTokenAlone(schemes)) return `## Credentials\n\n${block(`${imports}${start(options)}`)}`;
  return `## Credentials

Of the alternatives of an operation, the first is used for which all credentials are given. A key or a token may also be a
function, which is asked anew for every attempt; \`token\` stands for every scheme with bearer tokens.

${block(`${imports}${start(options)}`)}`;
}

function graphqlSection({ operations }: Graphql, api: string, start: string): string {
  const [first] = operations;
  const variables = Object.entries(first?.variables ?? {}).map(
    ([key, value]) => `${fieldName(key)}=${pythonRepr(value)}`,
  );
  const example = first
    ? `print(${api}.graphql.${fieldName(first.name)}(${variables.join(', ')}))`
    : `print(${api}.graphql.execute("{ __typename }"))`;
  const about = first
    ? 'The operations that are kept beside the schema are functions; any other document gives a dictionary.'
    : 'A document gives a dictionary; `TypedDocument(text, result)` one of your own dataclasses.';
  return `## GraphQL

${about} They are sent to \`${graphqlPath}\` below the base URL.

${block(`${start}\n\n${example}`)}

An operation that fails is a \`GraphqlRequestError\` with a \`code\`. There are no subscriptions in this SDK.`;
}

function leftOut(lines: readonly string[]): string | undefined {
  if (lines.length === 0) return undefined;
  return `## What it lacks\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
