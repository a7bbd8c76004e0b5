import { errorClass, type Model } from '../../../sdk/model.ts';
import { camelCase } from '../../../sdk/names.ts';
import { shown } from '../../../sdk/typescript/example-text.ts';
import type { Graphql, NamedOperation } from '../graphql-operations.ts';
import type { Sources } from '../sdk-sources.ts';
import { type Showcase, showcaseOf } from '../showcase.ts';
import { plainReadme } from './typescript-plain-readme.ts';
import { block, everything, resent } from './typescript-readme-parts.ts';

/** What the package says about itself, with examples from the contract. */
export function readme(model: Model, sources: Sources, graphql: Graphql | undefined): string {
  const operations = graphql?.operations ?? [];
  const show = showcaseOf(model, operations);
  return show ? fullReadme(model, operations, show) : plainReadme(model, sources, graphql);
}

/**
 * For contracts that have a complete collection. A test runs each example against a server with the demo data: what
 * it prints must be what stands behind `//>`.
 */
function fullReadme(model: Model, operations: readonly NamedOperation[], show: Showcase): string {
  const { title } = model;
  const name = model.packageName;
  const api = `${title.toLowerCase()}`;
  const group = `${api}.${show.group}`;
  const { id, counted, record } = show;
  const one = show.group.replace(/s$/, '');
  const query = camelCase(show.query.name);
  const variables = shown(show.query.variables);
  const [field = ''] = Object.keys(Object(show.query.answers));
  const start = (more = '') =>
    `const ${api} = new ${title}({ baseUrl: 'http://127.0.0.1:3000'${more} });`;
  const imports = (...names: string[]) => `import { ${names.join(', ')} } from '${name}';\n`;

  return `# ${name}

${model.summary} This is the client of version ${model.version} for TypeScript and JavaScript: ESM, without
dependencies, for Node 20.3 and newer and whatever else has \`fetch\`. It is made from the server's contracts, and
so are its types: every input, every answer, every refusal.

\`\`\`sh
npm install ${name}
\`\`\`

${block(`${imports(title)}
${start()}

const ${one} = await ${group}.${show.create.name}(${shown(show.input)});
console.log(${one});
//> ${shown(show.created)}

const ${show.group} = await ${group}.${show.list.name}({ limit: ${show.limit} });
console.log(${show.group}.length);
//> ${show.page.length}`)}

## When it is refused

Each status that the contract knows has a class of its own.

${block(`${imports(title, errorClass(404))}
${start()}

try {
  await ${group}.${show.get.name}(${show.missing.id});
} catch (error) {
  if (!(error instanceof ${errorClass(404)})) throw error;
  console.log(error.status, error.problem?.detail);
}
//> 404 ${show.missing.detail}`)}

Those who would rather not catch ask for the result, whose type lists what can happen:

${block(`${imports(title)}
${start()}

const result = await ${group}.${show.get.name}(${id}).result();
if (result.ok) console.log(result.data);
else if (result.error.status === 404) console.log('there is none');
else throw result.error;
//> ${shown(record)}`)}

No answer at all is a \`ConnectionError\`, none in time a \`TimeoutError\`.

## Lists, page by page

${block(`${imports(title)}
${start()}

for await (const ${one} of ${group}.${show.iterate}({ limit: ${show.limit} })) {
  console.log(${one});
  if (${one}.id === ${show.page.at(-1)?.id}) break;
}
${show.page.map((each) => `//> ${shown(each)}`).join('\n')}`)}

## Changing what others change too

\`update\` reads, changes and writes back, and does so again when somebody else was faster:

${block(`${imports(title)}
${start()}

const changed = await ${group}.update(${id}, (${one}) => ({ ...${one}, ${counted}: ${one}.${counted} + 1 }));
console.log(changed);
//> ${shown({ ...record, [counted]: Number(record[counted]) + 1 })}`)}

The parts of it, for other plans:

${block(`${imports(title, errorClass(412))}
${start()}

const { data, headers } = await ${group}.${show.get.name}(${id}).withResponse();
console.log(headers.etag);
//> ${show.etag}

const newer = await ${group}.${show.get.name}(${id}, { ifNoneMatch: headers.etag });
console.log(newer);
//> undefined

await ${group}.${show.replace.name}(${id}, data, { ifMatch: headers.etag });
try {
  await ${group}.${show.remove.name}(${id}, { ifMatch: headers.etag });
} catch (error) {
  console.log(error instanceof ${errorClass(412)});
}
//> true`)}

## GraphQL

The operations that are kept beside the schema are functions. What they select decides what can be read.

${block(`${imports(title, `${show.query.name}Document`)}
${start()}

const { ${field} } = await ${api}.graphql.${query}(${variables});
console.log(JSON.stringify(${field}));
//> ${JSON.stringify(Object(show.query.answers)[field])}

// The same as a document, and any other: those that graphql-codegen makes of your own are typed too.
const data = await ${api}.graphql.execute(${show.query.name}Document, ${variables});
console.log(JSON.stringify(data));
//> ${JSON.stringify(show.query.answers)}`)}

\`${name}/schema.graphql\` is the schema that they are checked against. An operation that fails is a
\`GraphqlRequestError\` with a \`code\`.

## Tokens, time-outs, cancellation

${block(`${imports(title)}
${start(", token: async () => 'my-token', timeout: 10_000, retries: 5")}

const cancel = new AbortController();
const found = await ${group}.${show.get.name}(${id}, { signal: cancel.signal, timeout: 2_000 });
console.log(found);
//> ${shown(record)}`)}

${resent}
${everything(model, api, operations)}`;
}
