import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { baseContracts, documentOf, released, schemaOf, workingContracts } from './contracts.ts';
import { diffContracts, isRefused } from './diff.ts';
import { type Format, formats, formatted, verdictLine } from './diff-format.ts';
import { findingLine } from './finding.ts';
import { lintContracts } from './lint.ts';
import { parityReport } from './parity.ts';
import { reviewPacket } from './review.ts';

const help = `npm run contract -- <command>

  lint [folder]    holds both contracts to the rules: words, examples, bounds, statuses, paths, names,
                   and patterns that match in linear time
  parity           compares what is in both contracts; a difference without a reason fails
  diff [base]      every change since base, with one verdict and the version it asks for;
                   fails when a client may break and the major version does not say so
  review [base]    one page for those who decide: the verdict, the changes, real requests and answers,
                   parity and coverage; it opens from disk (artefacts/review.html)

base is a git revision or a folder; without it, the last release in ${released}. lint takes the working
tree unless it is given a folder.

  --format text|markdown|html|json    how diff answers (text)
  --output <file>                     where to write it (standard output)
`;

type Command = (given: string | undefined, options: Options) => Promise<boolean>;

const commands: Readonly<Record<string, Command>> = {
  async lint(given) {
    const findings = lintContracts(given ? baseContracts(given) : workingContracts());
    print(findings.map(findingLine).join(''));
    print(`${findings.length} findings in openapi.yaml and schema.graphql\n`);
    return findings.length === 0;
  },

  async parity() {
    const contracts = workingContracts();
    const { text, isGood } = parityReport(documentOf(contracts), schemaOf(contracts));
    print(text);
    return isGood;
  },

  async diff(given, { format, output }) {
    const diff = await diffContracts(baseContracts(given ?? released), workingContracts());
    const text = formatted(diff, format);
    if (output) {
      mkdirSync(dirname(output), { recursive: true });
      writeFileSync(output, text);
      print(`${verdictLine(diff)}\n`);
    } else {
      print(text);
    }
    return !isRefused(diff);
  },

  async review(given, { output = 'artefacts/review.html' }) {
    const packet = await reviewPacket(baseContracts(given ?? released), workingContracts());
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, packet);
    print(`${output}\n`);
    return true;
  },
};

type Options = { readonly format: Format; readonly output?: string | undefined };

function print(text: string): void {
  process.stdout.write(text);
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'text' },
      output: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [name = '', given] = positionals;
  const command = commands[name];
  const format = formats.find((each) => each === values.format);
  if (!command || !format || values.help) {
    print(help);
    process.exitCode = values.help ? 0 : 2;
  } else {
    const isGood = await command(given, { format, output: values.output });
    process.exitCode = isGood ? 0 : 1;
  }
} catch (error) {
  process.stderr.write(`contract: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
