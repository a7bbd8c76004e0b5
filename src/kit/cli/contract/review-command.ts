import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { command } from '../command.ts';
import { baseContracts, released, workingContracts } from './contracts.ts';
import { reviewPacket } from './review.ts';

export const reviewCommand = command({
  summary: 'writes one page about a change for those who decide',
  help: `accord review [base] [--output <file>]

One page for those who decide: the verdict, the changes, real requests and answers, parity and coverage; it opens
from disk. base is a git revision or a folder; without it, the last release in ${released}.

  --output <file>    where to write it (artefacts/review.html)
`,
  options: { output: { type: 'string', default: 'artefacts/review.html' } },
  arguments: 1,
  async run({ output }, base = released) {
    const packet = await reviewPacket(baseContracts(base), workingContracts());
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, packet);
    process.stdout.write(`${output}\n`);
  },
});
