import { command } from '../command.ts';
import { documentOf, schemaOf, workingContracts } from './contracts.ts';
import { parity } from './parity.ts';

export const parityCommand = command({
  summary: 'compares what is in both contracts',
  help: `accord parity

Compares what is in both contracts. A difference without a reason fails.
`,
  options: {},
  async run() {
    const contracts = workingContracts();
    const differences = parity(documentOf(contracts), schemaOf(contracts));
    for (const { entity, field, message, reason } of differences) {
      const verdict = reason ? `meant: ${reason}` : 'CONTRADICTION';
      process.stdout.write(`${entity}.${field} ${message}\n  ${verdict}\n`);
    }
    const contradictions = differences.filter(({ reason }) => !reason);
    process.stdout.write(
      `${differences.length} differences, ${contradictions.length} without a reason\n`,
    );
    return contradictions.length === 0;
  },
});
