import { command, WrongUse } from '../command.ts';
import { contractOptions, outputTo } from '../project.ts';
import { diffFormats, diffText, verdictLine } from '../review/diff-text.ts';
import { baseContracts, released } from './base-contracts.ts';
import { workingContracts } from './contract-texts.ts';

export const diffCommand = command({
  summary: 'lists every change of the contracts since a release, with one verdict',
  help: `accord diff [base] [--openapi <file>] [--schema <file>] [--format text|json] [--output <file>]

Every change since base, with one verdict and the version it asks for. It fails when a client may break and the
major version does not say so. base is a folder, a file or a git revision; without it, the last release in
${released}, else what is committed.

  --openapi <file>      the OpenAPI description
  --schema <file>       the GraphQL SDL
  --format text|json    how it answers (text); accord review has more
  --output <file>       where to write it (standard output)

Example:
  accord diff v1.2.0
  accord diff old.json --openapi new.json --format json
`,
  options: {
    ...contractOptions,
    format: { type: 'string', default: 'text' },
    output: { type: 'string' },
  },
  arguments: 1,
  async run({ format: given, output, ...files }, base) {
    const format = diffFormats.find((each) => each === given);
    if (!format) throw new WrongUse(`--format takes ${diffFormats.join(', ')}, not ${given}`);
    const write = output ? outputTo(output) : undefined;
    const { diffContracts } = await import('../review/diff.ts');
    const now = await workingContracts(files);
    const diff = await diffContracts(await baseContracts(base, now, files), now);
    const text = diffText(diff, format);
    write?.(text);
    process.stdout.write(write ? `${verdictLine(diff)}\n` : text);
    return diff.level !== 'breaking' || diff.version.isMet;
  },
});
