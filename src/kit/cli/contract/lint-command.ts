import { command } from '../command.ts';
import { baseContracts, workingContracts } from './contracts.ts';
import { findingLine } from './finding.ts';
import { lintContracts } from './lint.ts';

export const lintCommand = command({
  summary: 'holds the contracts to rules: words, examples, bounds, statuses, paths, patterns',
  help: `accord lint [folder]

Holds both contracts to the rules: words, examples, bounds, statuses, paths, names, and patterns that match in
linear time. Without a folder it takes those of the project.
`,
  options: {},
  arguments: 1,
  async run(_, folder) {
    const findings = lintContracts(folder ? baseContracts(folder) : workingContracts());
    process.stdout.write(findings.map(findingLine).join(''));
    process.stdout.write(`${findings.length} findings in openapi.yaml and schema.graphql\n`);
    return findings.length === 0;
  },
});
