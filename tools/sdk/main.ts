import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSources } from './contracts.ts';
import { modelOf } from './model.ts';
import { writePython } from './python/package.ts';
import { writeTypescript } from './typescript/package.ts';

/** Makes the packages of the client SDKs from the two contracts and operations.graphql. */
const root = new URL('../../', import.meta.url).pathname;
const { values } = parseArgs({
  options: {
    contracts: { type: 'string', default: root },
    output: { type: 'string', default: join(root, 'dist/sdk') },
  },
});
const sources = readSources(resolve(values.contracts));
const model = modelOf(sources);
const output = resolve(values.output);
await writeTypescript(model, sources, join(output, 'typescript'));
writePython(model, sources, join(output, 'python'));
process.stdout.write(`${model.title} ${model.version}: ${output}\n`);
