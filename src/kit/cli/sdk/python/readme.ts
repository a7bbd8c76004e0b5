import type { ApiCall } from '../api-call.ts';
import type { NamedOperation } from '../graphql-operations.ts';
import { errorClass, type Group, type Model, packageName } from '../model.ts';
import { iterationName, snakeCase } from '../names.ts';
import { nameOf } from '../schema.ts';
import { showcaseOf } from '../showcase.ts';
import { writeOf } from '../typescript/group.ts';
import { moduleName } from './files.ts';
import { fieldName, pythonRepr } from './text.ts';

/**
 * What the package says about itself. A test runs each example against a server with the demo data: what
 * it prints must be what stands behind `#>`.
 */
export function readme(model: Model, operations: readonly NamedOperation[]): string {
  const show = showcaseOf(model, operations);
  const { title } = model;
  const api = title.toLowerCase();
  const module = moduleName(model);
  const group = `${api}.${snakeCase(show.group)}`;
  const one = snakeCase(show.group.replace(/s$/, ''));
  const { id, record } = show;
  const create = fieldName(show.create.name);
  const get = fieldName(show.get.name);
  const name = (call: ApiCall) => nameOf(call.replies[0]?.payload?.schema ?? {}) ?? '';
  const inputName = nameOf(show.create.body?.schema ?? {}) ?? '';
  const replacementName = nameOf(show.replace.body?.schema ?? {}) ?? '';
  const object = (type: string, value: object) =>
    `${type}(${Object.entries(value)
      .map(([key, each]) => `${fieldName(key)}=${pythonRepr(each)}`)
      .join(', ')})`;
  const start = `${api} = ${title}("http://127.0.0.1:3000")`;
  const kept = Object.keys(show.input)
    .map((key) => `${fieldName(key)}=${one}.${fieldName(key)}${key === show.counted ? ' + 1' : ''}`)
    .join(', ');
  const query = fieldName(show.query.name);
  const variables = Object.entries(show.query.variables)
    .map(([key, value]) => `${fieldName(key)}=${pythonRepr(value)}`)
    .join(', ');

  return `# ${packageName(model)}

${model.summary} This is the client of version ${model.version} for Python 3.11 and newer. It is made
from the server's contracts, and so are its types: every input, every answer, every refusal, for mypy and for
editors. It needs [httpx](https://www.python-httpx.org) and nothing else.

\`\`\`sh
pip install ${packageName(model)}
\`\`\`

${block(`from ${module} import ${title}, ${inputName}

${start}

${one} = ${group}.${create}(${object(inputName, show.input)})
print(${one})
#> ${object(name(show.create), show.created)}

print(len(${group}.${fieldName(show.list.name)}(limit=${show.limit})))
#> ${show.page.length}`)}

\`Async${title}\` is the same with \`await\`, and \`async for\` for lists:

${block(`import asyncio

from ${module} import Async${title}


async def main() -> None:
    async with Async${title}("http://127.0.0.1:3000") as ${api}:
        print(await ${group}.${get}(${id}))


asyncio.run(main())
#> ${object(name(show.get), record)}`)}

## When it is refused

Each status that the contract knows has a class of its own.

${block(`from ${module} import ${title}, ${errorClass(404)}

${start}

try:
    ${group}.${get}(${show.missing.id})
except ${errorClass(404)} as error:
    print(error.status, error.problem.detail if error.problem else "")
#> 404 ${show.missing.detail}`)}

No answer at all is an \`ApiConnectionError\`, none in time an \`ApiTimeoutError\`.

## Lists, page by page

${block(`from ${module} import ${title}

${start}

for ${one} in ${group}.${snakeCase(show.iterate)}(limit=${show.limit}):
    print(${one})
    if ${one}.id == ${show.page.at(-1)?.id}:
        break
${show.page.map((each) => `#> ${object(name(show.get), each)}`).join('\n')}`)}

## Changing what others change too

\`update\` reads, changes and writes back, and does so again when somebody else was faster:

${block(`from ${module} import ${title}, ${replacementName}

${start}

changed = ${group}.update(
    ${id}, lambda ${one}: ${replacementName}(${kept})
)
print(changed)
#> ${object(name(show.get), { ...record, [show.counted]: Number(record[show.counted]) + 1 })}`)}

The parts of it, for other plans:

${block(`from ${module} import ${title}, ${replacementName}, ${errorClass(412)}

${start}

reply = ${group}.${get}_with_response(${id})
print(reply.headers.etag)
#> ${show.etag}

print(${group}.${get}(${id}, if_none_match=reply.headers.etag))
#> None

${group}.${fieldName(show.replace.name)}(${id}, ${object(replacementName, show.input)}, if_match=reply.headers.etag)
try:
    ${group}.${fieldName(show.remove.name)}(${id}, if_match=reply.headers.etag)
except ${errorClass(412)}:
    print("somebody else was faster")
#> somebody else was faster`)}

## GraphQL

The operations that are kept beside the schema are functions. What they select decides what can be read.

${block(`from ${module} import ${title}
from ${module}.graphql import ${snakeCase(show.query.name).toUpperCase()}_DOCUMENT

${start}

print(${api}.graphql.${query}(${variables}) == ${api}.graphql.execute(${snakeCase(show.query.name).toUpperCase()}_DOCUMENT, ${pythonRepr(show.query.variables)}))
#> True

# Any other document gives a dictionary.
print(${api}.graphql.execute(${JSON.stringify(show.query.text.replaceAll(/\s+/g, ' '))}, ${pythonRepr(show.query.variables)}))
#> ${pythonRepr(show.query.answers)}`)}

An operation that fails is a \`GraphqlRequestError\` with a \`code\`.

## Tokens and time-outs

${block(`from ${module} import ${title}

${api} = ${title}("http://127.0.0.1:3000", token=lambda: "my-token", timeout=10.0, retries=5)

print(${group}.${get}(${id}, timeout=2.0))
#> ${object(name(show.get), record)}`)}

## What is sent again

A request that got no answer, or 408, 429, 502, 503 or 504, is sent again up to three times, after what
\`Retry-After\` says or else after a growing, random while. It must be safe: reads, PUT and DELETE are; a
POST is where the contract takes an \`Idempotency-Key\`, which is then sent by itself, so that one record is made
however often it arrives. A write with \`if_match\` is sent again only when the server says that nothing was
changed, and a GraphQL mutation is not.

When the server enforces other contracts than these (\`Contract-Digest\`), there is one
\`ContractMismatchWarning\`.

## Everything

Every method that is answered with headers has a twin with \`_with_response\` in its name.

${model.groups
  .filter(({ calls }) => calls.length > 0)
  .map((each) => table(api, each))
  .join('\n\n')}

### graphql

| function | kind | |
| --- | --- | --- |
${operations.map((each) => `| \`${api}.graphql.${fieldName(each.name)}(${(each.node.variableDefinitions ?? []).map(({ variable }) => `${fieldName(variable.name.value)}=…`).join(', ')})\` | ${each.kind} | ${each.about} |`).join('\n')}
`;
}

function table(api: string, group: Group): string {
  const rows = group.calls.flatMap((call) => {
    const where = `\`${call.method} ${call.path}\``;
    const path = call.inPath.map(({ name }) => fieldName(name));
    const write = writeOf(group, call);
    const given = [
      ...path,
      ...(call.body ? [nameOf(call.body.schema) ?? 'body'] : []),
      ...call.options.map(({ name }) => `${fieldName(name)}=…`),
    ];
    const pages = call.options.map(({ name }) => `${fieldName(name)}=…`).join(', ');
    return [
      [`${fieldName(call.name)}(${given.join(', ')})`, where, call.summary],
      ...(call.pageOf
        ? [[`${snakeCase(iterationName(call.name))}(${pages})`, where, 'One after the other']]
        : []),
      ...(write
        ? [[`update(${[...path, 'change'].join(', ')})`, where, 'Read, change, write back']]
        : []),
    ].map(
      ([method, place, about]) =>
        `| \`${api}.${snakeCase(group.name)}.${method}\` | ${place} | ${about} |`,
    );
  });
  return `### ${snakeCase(group.name)}\n\n${group.about}\n\n| method | | |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

function block(code: string): string {
  return `\`\`\`python\n${code}\n\`\`\``;
}
