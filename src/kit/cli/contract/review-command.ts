import { command, WrongUse } from '../command.ts';
import { contractOptions, outputTo, projectSettings } from '../project.ts';
import { exceptionsFile, readExceptions } from '../review/exceptions.ts';
import { readUsage } from '../review/usage.ts';
import { baseContracts, released } from './base-contracts.ts';
import { workingContracts } from './contract-texts.ts';
import { lintSettings } from './lint-settings.ts';

const formats = ['html', 'markdown', 'json', 'junit', 'sarif'] as const;
const endings = {
  html: 'html',
  markdown: 'md',
  json: 'json',
  junit: 'xml',
  sarif: 'sarif',
} as const;

export const reviewCommand = command({
  summary: 'tells those who decide what a change of the contracts means, with one verdict',
  help: `accord review [base] [--openapi <file>] [--schema <file>] [--format html|markdown|json|junit|sarif]
              [--output <file>] [--exceptions <file>] [--usage <file>]

One verdict on a change (breaking, needs a decision, safe) from both contracts, their parity, lint, version and SDKs; a
few sentences; each operation and type before and after, with requests and answers. It fails where something is left to
decide: a version that does not say what the change does, a contradiction, a lint error. base is a folder, a file or a
git revision; without it, the last release in ${released}, else what is committed.

  --openapi <file>      the OpenAPI description
  --schema <file>       the GraphQL SDL
  --format <format>     html (a page that opens from disk), markdown (a comment), json, junit or sarif
  --output <file>       where to write it (artefacts/review.html, .md, .json, .xml, .sarif)
  --exceptions <file>   what people have accepted (${exceptionsFile}): a list of place, change, reason, owner, expires
  --usage <file>        what is used how often: a copy of /metrics, or JSON { "name": { "count": 3, "last": "2026-11-01" } }

Example:
  accord review v1.2.0 --output review.html
  accord review main --format markdown --output comment.md

  # ${exceptionsFile}
  - place: "#/components/schemas/Planet/properties/mass"
    change: property-removed
    reason: No client has read it since May.
    owner: Ada
    expires: 2027-01-31
`,
  options: {
    ...contractOptions,
    format: { type: 'string', default: 'html' },
    output: { type: 'string' },
    exceptions: { type: 'string' },
    usage: { type: 'string' },
  },
  arguments: 1,
  async run({ format: given, output, exceptions, usage, ...files }, base) {
    const format = formats.find((each) => each === given);
    if (!format) throw new WrongUse(`--format takes ${formats.join(', ')}, not ${given}`);
    const file = output ?? `artefacts/review.${endings[format]}`;
    const write = outputTo(file);
    const now = await workingContracts(files);
    const options = {
      exceptions: readExceptions(exceptions),
      usage: readUsage(usage),
      lint: lintSettings(projectSettings().lint),
    };
    const { reviewOf } = await import('../review/review.ts');
    const { formatted } = await import('../review/review-formats.ts');
    const today = new Date().toISOString().slice(0, 10);
    const review = await reviewOf(await baseContracts(base, now, files), now, {
      ...options,
      today,
    });
    write(formatted(review, format, file));
    const { label, reasons, isPassed } = review.verdict;
    process.stdout.write(`${label.toUpperCase()}: ${reasons.join('; ')}.\n${file}\n`);
    return isPassed;
  },
});
