import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readContract } from '../../contract/contract.ts';
import { command } from '../command.ts';
import { contractFiles } from '../project.ts';

export const generateCommand = command({
  summary: 'writes the types of an OpenAPI description',
  help: `accord generate [contract] [--output <file>] [--check]

Writes the types of a contract (openapi.yaml) to a file (generated/openapi.d.ts). With --check it writes nothing,
and fails where the file is not what it would write.
`,
  options: {
    output: { type: 'string', short: 'o', default: 'generated/openapi.d.ts' },
    check: { type: 'boolean', default: false },
  },
  arguments: 1,
  async run({ output, check }, given) {
    const { openapi } = given === undefined ? contractFiles({}) : { openapi: resolve(given) };
    if (!openapi) return true;
    const { contractTypes } = await import('./contract-types.ts');
    const text = await contractTypes(await readContract(pathToFileURL(openapi), { lenient: true }));
    if (check) return isSame(output, text);
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, text);
    return true;
  },
});

function isSame(file: string, text: string): boolean {
  const isRight = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (!isRight) process.stderr.write(`${file} is not up to date: run accord generate\n`);
  return isRight;
}
