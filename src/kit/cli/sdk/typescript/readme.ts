import { inspect } from 'node:util';
import type { ApiCall } from '../api-call.ts';
import type { NamedOperation } from '../graphql-operations.ts';
import { errorClass, type Group, type Model, packageName } from '../model.ts';
import { camelCase, iterationName } from '../names.ts';
import { showcaseOf } from '../showcase.ts';
import { writeOf } from './group.ts';
import { typeOf } from './types.ts';

/**
 * What the package says about itself. A test runs each example against a server with the demo data: what
 * it prints must be what stands behind `//>`.
 */
export function readme(model: Model, operations: readonly NamedOperation[]): string {
  const show = showcaseOf(model, operations);
  const { title } = model;
  const name = packageName(model);
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

## What is sent again

A request that got no answer, or 408, 429, 502, 503 or 504, is sent again up to three times, after what
\`Retry-After\` says or else after a growing, random while. It must be safe: reads, PUT and DELETE are; a
POST is where the contract takes an \`Idempotency-Key\`, which is then sent by itself, so that one record is made
however often it arrives. A write with \`ifMatch\` is sent again only when the server says that nothing was changed, and a
GraphQL mutation is not.

When the server enforces other contracts than these (\`Contract-Digest\`), \`onWarning\` is told once; without
it, the console is.

## Everything

${model.groups
  .filter(({ calls }) => calls.length > 0)
  .map((each) => table(api, each))
  .join('\n\n')}

### graphql

| function | kind | |
| --- | --- | --- |
${operations.map((each) => `| \`${api}.graphql.${camelCase(each.name)}(${each.node.variableDefinitions?.length ? 'variables' : ''})\` | ${each.kind} | ${each.about} |`).join('\n')}
`;
}

function table(api: string, group: Group): string {
  const rows = group.calls.flatMap((call) => {
    const write = writeOf(group, call);
    const where = `\`${call.method} ${call.path}\``;
    const path = call.inPath.map(({ name }) => camelCase(name));
    return [
      [`${call.name}(${parameters(call)})`, where, call.summary],
      ...(call.pageOf
        ? [[`${iterationName(call.name)}(options?)`, where, 'One after the other, page by page']]
        : []),
      ...(write
        ? [
            [
              `update(${[...path, 'change'].join(', ')})`,
              `${where}, \`${write.method}\``,
              'Read, change, write back',
            ],
          ]
        : []),
    ].map(
      ([method, place, about]) => `| \`${api}.${group.name}.${method}\` | ${place} | ${about} |`,
    );
  });
  return `### ${group.name}\n\n${group.about}\n\n| method | | |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

function parameters(call: ApiCall): string {
  return [
    ...call.inPath.map(({ name }) => camelCase(name)),
    ...(call.body ? [`body: ${typeOf(call.body.schema)}`] : []),
    ...(call.options.length > 0 ? ['options?'] : []),
  ].join(', ');
}

function block(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

function shown(value: unknown): string {
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: null });
}
