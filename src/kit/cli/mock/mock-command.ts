import { pathToFileURL } from 'node:url';
import { mockApi } from '../../mock-api.ts';
import { serveUntilSignal } from '../../process/run.ts';
import { command, WrongUse } from '../command.ts';
import { contractFiles, contractOptions } from '../project.ts';

export const mockCommand = command({
  summary: 'serves contracts without any code',
  help: `accord mock [--openapi <file>] [--schema <file>] [--port <number>] [--host <address>] [--seed <number>] [--stateless]

Answers every operation and every field from the contracts: their examples, else values that their schemas admit. The
same seed (1) gives the same answers. What looks like a collection keeps what it is sent until the process ends, unless
--stateless. Requests are checked as always. What is doubtful in a contract is a warning in the log.
Prefer: code=404, Prefer: example=<name> and Prefer: dynamic=true choose an answer. All settings of a server apply
(PORT, HOST, LOG_LEVEL, …).

  accord mock --openapi openapi.yaml --schema schema.graphql --port 4000
`,
  options: {
    ...contractOptions,
    port: { type: 'string' },
    host: { type: 'string' },
    seed: { type: 'string' },
    stateless: { type: 'boolean', default: false },
  },
  async run({ port, host, seed, stateless, ...given }) {
    const { openapi, schema } = contractFiles(given);
    if (seed !== undefined && !/^[0-9]{1,9}$/.test(seed)) {
      throw new WrongUse('--seed takes a whole number');
    }
    const api = mockApi({
      ...(openapi && { openapi: pathToFileURL(openapi) }),
      ...(schema && { graphql: pathToFileURL(schema) }),
      ...(seed !== undefined && { seed: Number(seed) }),
      stateless,
    });
    await serveUntilSignal(api, {
      // A server that is called a mock may be one.
      MOCKS: 'allow',
      ...process.env,
      ...(port !== undefined && { PORT: port }),
      ...(host !== undefined && { HOST: host }),
    });
  },
});
