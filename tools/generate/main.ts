import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readContract } from '../../src/kit/contract/contract.ts';
import { contractTypes } from './contract-types.ts';

const help = `node tools/generate/main.ts [contract] [--output <file>] [--check]

Writes the types of a contract (openapi.yaml) to a file (generated/openapi.d.ts). With --check it writes nothing,
and fails where the file is not what it would write.
`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      output: { type: 'string', short: 'o', default: 'generated/openapi.d.ts' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) process.stdout.write(help);
  else await generate(positionals[0] ?? 'openapi.yaml', values.output, values.check);
} catch (error) {
  process.stderr.write(`generate: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function generate(file: string, output: string, isCheck: boolean): Promise<void> {
  const text = await contractTypes(await readContract(pathToFileURL(resolve(file))));
  if (isCheck) {
    const isSame = existsSync(output) && readFileSync(output, 'utf8') === text;
    if (!isSame) throw new Error(`${output} is not up to date: run npm run generate`);
    return;
  }
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, text);
}
