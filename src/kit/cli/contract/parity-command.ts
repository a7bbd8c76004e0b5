import { command } from '../command.ts';
import { contractOptions } from '../project.ts';
import { documentOf, schemaOf, workingContracts } from './contract-texts.ts';
import { parityReport } from './parity.ts';

export const parityCommand = command({
  summary: 'compares what is in both contracts',
  help: `accord parity [--openapi <file>] [--schema <file>]

Compares what is in both contracts. A difference without a reason fails.

  --openapi <file>    the OpenAPI description
  --schema <file>     the GraphQL SDL

Example:
  accord parity --openapi api.yaml --schema api.graphql
`,
  options: contractOptions,
  async run(files) {
    const contracts = await workingContracts(files);
    const { text, isGood } = parityReport(documentOf(contracts), schemaOf(contracts));
    process.stdout.write(text);
    return isGood;
  },
});
