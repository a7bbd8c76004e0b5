import { join, resolve } from 'node:path';
import { command } from '../command.ts';
import { readSources } from './contracts.ts';
import { modelOf } from './model.ts';
import { writePython } from './python/package.ts';
import { writeTypescript } from './typescript/package.ts';

export const sdkCommand = command({
  summary: 'makes client SDKs in TypeScript and Python',
  help: `accord sdk [--contracts <folder>] [--output <folder>]

Makes the packages of the client SDKs from the contracts and operations.graphql.

  --contracts <folder>    where the contracts are (the project)
  --output <folder>       where the packages go (dist/sdk)
`,
  options: {
    contracts: { type: 'string', default: '.' },
    output: { type: 'string', default: 'dist/sdk' },
  },
  async run({ contracts, output: folder }) {
    const sources = readSources(resolve(contracts));
    const model = modelOf(sources);
    const output = resolve(folder);
    await writeTypescript(model, sources, join(output, 'typescript'));
    writePython(model, sources, join(output, 'python'));
    process.stdout.write(`${model.title} ${model.version}: ${output}\n`);
  },
});
