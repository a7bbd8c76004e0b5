import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { command } from '../command.ts';
import { contractOptions } from '../project.ts';
import { baseContracts, released } from './base-contracts.ts';
import { workingContracts } from './contract-texts.ts';

export const reviewCommand = command({
  summary: 'writes one page about a change for those who decide',
  help: `accord review [base] [--openapi <file>] [--schema <file>] [--output <file>]

One page for those who decide: the verdict, the changes, real requests and answers, parity and coverage; it opens
from disk. base is a folder, a file or a git revision; without it, the last release in ${released}, else what is
committed.

  --openapi <file>   the OpenAPI description
  --schema <file>    the GraphQL SDL
  --output <file>    where to write it (artefacts/review.html)

Example:
  accord review v1.2.0 --output review.html
`,
  options: { ...contractOptions, output: { type: 'string', default: 'artefacts/review.html' } },
  arguments: 1,
  async run({ output, ...files }, base) {
    const { reviewPacket } = await import('./review.ts');
    const now = await workingContracts(files);
    const packet = await reviewPacket(await baseContracts(base, now), now);
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, packet);
    process.stdout.write(`${output}\n`);
  },
});
