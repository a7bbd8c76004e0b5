import { join, resolve } from 'node:path';
import { modelOf } from '../../sdk/model.ts';
import { command, WrongUse } from '../command.ts';
import { contractFiles, contractOptions } from '../project.ts';
import { graphqlOf } from './graphql-operations.ts';
import { readSources } from './sdk-sources.ts';

const languages = ['typescript', 'python'];

export const sdkCommand = command({
  summary: 'makes client SDKs in TypeScript and Python',
  help: `accord sdk [--openapi <file>] [--schema <file>] [--output <folder>]

Makes an npm package and a Python package from an OpenAPI description, an SDL, or both. Operations are grouped by their
first tag, those without one by the first segment of their paths that is no parameter and no version. What cannot be
made is named and left out.

  --openapi <file>        the OpenAPI description (openapi.yaml)
  --schema <file>         the SDL (schema.graphql)
  --operations <file>     GraphQL operations to make functions of (operations.graphql beside the SDL)
  --contracts <folder>    where the contracts are (the project)
  --output <folder>       where the packages go (dist/sdk)
  --name <name>           what the client and the packages are called (the title of the description)
  --only <language>       typescript or python
  --lenient               doubtful parts of the contracts are warnings

Example: accord sdk --openapi petstore.json --name Pets --output sdk
`,
  options: {
    ...contractOptions,
    operations: { type: 'string' },
    contracts: { type: 'string', default: '.' },
    output: { type: 'string', default: 'dist/sdk' },
    name: { type: 'string' },
    only: { type: 'string' },
    lenient: { type: 'boolean', default: false },
  },
  async run({ openapi, schema, operations, contracts, output: folder, name, only, lenient }) {
    if (only !== undefined && !languages.includes(only)) {
      throw new WrongUse(`does not know the language ${only}: typescript or python`);
    }
    const tell = (line: string) => void process.stderr.write(`${line}\n`);
    const given = { ...(openapi && { openapi }), ...(schema && { schema }) };
    const sources = await readSources(contractFiles(given, resolve(contracts)), {
      operations,
      lenient,
      onWarning: (line) => tell(`warning: ${line}`),
    });
    const model = modelOf(sources, name);
    if (!model.hasGraphql && model.groups.every(({ calls }) => calls.length === 0)) {
      throw new Error('the contract has no operations that an SDK could have');
    }
    const lines = [...model.leftOut, ...(graphqlOf(sources)?.leftOut ?? [])];
    for (const line of lines) tell(line);
    const output = resolve(folder);
    if (only !== 'python') {
      // The compiler is loaded only here.
      const { writeTypescript } = await import('./typescript/typescript-package.ts');
      await writeTypescript(model, sources, join(output, 'typescript'));
    }
    if (only !== 'typescript') {
      const { writePython } = await import('./python/python-package.ts');
      writePython(model, sources, join(output, 'python'));
    }
    process.stdout.write(`${model.title} ${model.version}: ${output}\n`);
  },
});
