import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { readContract } from '../../contract/contract.ts';
import { command } from '../command.ts';
import { contractFiles, isFile, outputTo } from '../project.ts';

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
    const { openapi } = contractFiles(given === undefined ? {} : { openapi: given });
    if (!openapi) return true;
    const write = check ? undefined : outputTo(output);
    const { contractTypes } = await import('./contract-types.ts');
    const text = await contractTypes(await readContract(pathToFileURL(openapi), { lenient: true }));
    if (!write) return isSame(output, text);
    write(text);
    return true;
  },
});

function isSame(file: string, text: string): boolean {
  const isRight = isFile(file) && readFileSync(file, 'utf8') === text;
  if (!isRight) process.stderr.write(`${file} is not up to date: run accord generate\n`);
  return isRight;
}
