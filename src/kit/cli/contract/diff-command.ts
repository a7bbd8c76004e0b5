import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { command, WrongUse } from '../command.ts';
import { baseContracts, released, workingContracts } from './contracts.ts';
import { diffContracts, isRefused } from './diff.ts';
import { formats, formatted, verdictLine } from './diff-format.ts';

export const diffCommand = command({
  summary: 'lists every change of the contracts since a release, with one verdict',
  help: `accord diff [base] [--format text|markdown|html|json] [--output <file>]

Every change since base, with one verdict and the version it asks for. It fails when a client may break and the
major version does not say so. base is a git revision or a folder; without it, the last release in ${released}.

  --format text|markdown|html|json    how it answers (text)
  --output <file>                     where to write it (standard output)
`,
  options: { format: { type: 'string', default: 'text' }, output: { type: 'string' } },
  arguments: 1,
  async run({ format: given, output }, base = released) {
    const format = formats.find((each) => each === given);
    if (!format) throw new WrongUse(`--format takes ${formats.join(', ')}, not ${given}`);
    const diff = await diffContracts(baseContracts(base), workingContracts());
    const text = formatted(diff, format);
    if (output) {
      mkdirSync(dirname(output), { recursive: true });
      writeFileSync(output, text);
    }
    process.stdout.write(output ? `${verdictLine(diff)}\n` : text);
    return !isRefused(diff);
  },
});
