import type { ApiCall } from '../../../sdk/api-call.ts';
import { errorClass, type Model } from '../../../sdk/model.ts';
import { snakeCase } from '../../../sdk/names.ts';
import type { Types } from '../../../sdk/python/python-models.ts';
import { moduleName } from '../../../sdk/python/python-sample.ts';
import { fieldName, pythonRepr } from '../../../sdk/python/text.ts';
import { nameOf } from '../../../sdk/schema.ts';
import { graphqlOf, type NamedOperation } from '../graphql-operations.ts';
import type { Sources } from '../sdk-sources.ts';
import { type Showcase, showcaseOf } from '../showcase.ts';
import { plainReadme } from './python-plain-readme.ts';
import { block, everything, resent } from './python-readme-parts.ts';

/** What the package says about itself, with examples from the contract. */
export function readme(model: Model, sources: Sources, types: Types): string {
  const graphql = graphqlOf(sources);
  const operations = graphql?.operations ?? [];
  const show = showcaseOf(model, operations);
  return show ? fullReadme(model, operations, show) : plainReadme(model, sources, types, graphql);
}

/**
 * For contracts that have a complete collection. A test runs each example against a server with the demo data: what
 * it prints must be what stands behind `#>`.
 */
function fullReadme(model: Model, operations: readonly NamedOperation[], show: Showcase): string {
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

  return `# ${model.packageName}

${model.summary} This is the client of version ${model.version} for Python 3.11 and newer. It is made
from the server's contracts, and so are its types: every input, every answer, every refusal, for mypy and for
editors. It needs [httpx](https://www.python-httpx.org) and nothing else.

\`\`\`sh
pip install ${model.packageName}
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

${resent}
${everything(model, api, operations)}`;
}
