import { command } from '../command.ts';
import { documentOf, schemaOf, workingContracts } from './contracts.ts';
import { parityReport } from './parity.ts';

export const parityCommand = command({
  summary: 'compares what is in both contracts',
  help: `accord parity

Compares what is in both contracts. A difference without a reason fails.
`,
  options: {},
  async run() {
    const contracts = workingContracts();
    const { text, isGood } = parityReport(documentOf(contracts), schemaOf(contracts));
    process.stdout.write(text);
    return isGood;
  },
});
