import { command } from '../command.ts';
import { contractOptions, projectSettings } from '../project.ts';
import { shownFile, workingContracts } from './contract-texts.ts';
import { findingLine } from './finding.ts';
import { lintSettings } from './lint-settings.ts';

export const lintCommand = command({
  summary: 'holds the contracts to rules: words, examples, bounds, statuses, paths, patterns',
  help: `accord lint [folder] [--openapi <file>] [--schema <file>]

Holds the contracts of the project, or of a folder, to rules: those of Redocly (recommended) and of Accord. It fails on
errors, not on warnings. The key accord.lint in package.json says what a rule is: "error", "warning" or
"off: <reason>", everywhere or by place; "*" stands for every rule that is not named.

  --openapi <file>    the OpenAPI description
  --schema <file>     the GraphQL SDL

Example:
  accord lint --openapi api.json

  "accord": { "lint": {
    "schema-bounds": "error",
    "operation-4xx-response": { "#/paths/~1status": "off: it takes nothing that could be wrong" }
  } }
`,
  options: contractOptions,
  arguments: 1,
  async run(given, folder) {
    const { lintContracts } = await import('./lint.ts');
    const contracts = await workingContracts(given, folder);
    const findings = await lintContracts(contracts, lintSettings(projectSettings().lint));
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const files = Object.values(contracts.files ?? {}).map(shownFile);
    process.stdout.write(findings.map(findingLine).join(''));
    process.stdout.write(
      `${counted(errors, 'error')} and ${counted(findings.length - errors, 'warning')} in ${files.join(' and ')}\n`,
    );
    return errors === 0;
  },
});

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
