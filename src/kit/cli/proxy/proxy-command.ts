import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readContract } from '../../contract/contract.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { command, WrongUse } from '../command.ts';
import { contractFiles, contractOptions, outputTo } from '../project.ts';
import { createBreaches, kindLine } from './breaches.ts';
import { createChecks } from './checks.ts';
import { driftReport, reportLines, writeReport } from './drift-report.ts';
import { startProxy } from './proxy-server.ts';

export const proxyCommand = command({
  summary: 'holds the requests and answers of a running server to the contracts',
  help: `accord proxy <address> [--openapi <file>] [--schema <file>] [--port 8080] [--refuse] [--report <file>]

Stands before a server and passes everything on unchanged; Host is that of the address. It says once what breaks the
contracts, in one line for each kind, and counts. At its end (Ctrl-C), and on SIGUSR2, it writes the report.
It fails where something broke the contracts. An answer that does not come, or breaks off, breaks them.

  --openapi, --schema      the contracts (openapi.yaml, schema.graphql)
  --port <port>            where it listens (8080)
  --graphql-path <path>    where the server has GraphQL (/graphql)
  --refuse                 answers 400 to requests and 502 to answers that break a contract, instead of passing them on
  --report <file>          writes the report as <file>.html and <file>.json
  --timeout <seconds>      how long the server may send nothing once it has the request, before it is answered 504, and
                           within an answer, before that breaks off (60); a stream of events may take any time

Bodies of more than 262,144 bytes and streams of events are passed on and not checked. Upgrades (WebSocket) and trailers
are not passed on.

  accord proxy http://localhost:3000 --openapi api.yaml --report artefacts/drift
`,
  options: {
    ...contractOptions,
    port: { type: 'string', default: '8080' },
    'graphql-path': { type: 'string', default: '/graphql' },
    refuse: { type: 'boolean', default: false },
    report: { type: 'string' },
    timeout: { type: 'string', default: '60' },
  },
  arguments: 1,
  async run({ port, timeout, refuse, report: file, 'graphql-path': graphqlPath, ...files }, given) {
    const address = addressOf(given);
    if (!graphqlPath.startsWith('/')) {
      throw new WrongUse(`--graphql-path takes a path such as /graphql, not ${graphqlPath}`);
    }
    if (file) outputTo(file);
    const say = (line: string) => void process.stderr.write(`${line}\n`);
    const contracts = await readContracts(contractFiles(files), say);
    const breaches = createBreaches((kind) => say(`${kindLine(kind)} (${kind.example})`));
    const checks = await createChecks({ ...contracts, graphqlPath, breaches, onWarning: say });
    const proxy = await startProxy({
      ...{ address, checks, refuse },
      port: numberOf('port', port, 0, 65_535),
      patience: numberOf('timeout', timeout, 1, 86_400) * 1000,
    });
    const report = () => {
      const found = driftReport(address, breaches, checks.traffic);
      for (const line of reportLines(found)) process.stdout.write(`${line}\n`);
      if (file) process.stdout.write(`${relative('.', writeReport(found, file))}\n`);
      return found.isKept;
    };
    process.on('SIGUSR2', report);
    process.stdout.write(`${proxy.url} passes on to ${address.origin}${address.pathname}\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await proxy.stop();
    return report();
  },
});

async function readContracts(
  { openapi, schema }: ReturnType<typeof contractFiles>,
  onWarning: (line: string) => void,
) {
  const contract = openapi && (await readContract(pathToFileURL(openapi), { lenient: true }));
  for (const line of contract ? contract.warnings : []) onWarning(`warning: ${line}`);
  const sdl = schema && readSdl(readFileSync(schema, 'utf8'), relative('.', schema), onWarning);
  return { contract: contract || undefined, schema: sdl ? sdl.schema : undefined };
}

function addressOf(given: string | undefined): URL {
  if (given === undefined)
    throw new WrongUse('needs the address of a server, such as http://localhost:3000');
  const address = URL.canParse(given) ? new URL(given) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new WrongUse(`takes an address such as http://localhost:3000, not ${given}`);
  }
  if (address.search || address.hash) throw new WrongUse('takes an address without a query');
  return address;
}

function numberOf(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new WrongUse(`--${option} takes a number from ${least} to ${most}, not ${text}`);
}
