import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Contract, readContract } from '../../contract/contract.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { command, WrongUse } from '../command.ts';
import { shownFile } from '../contract/contract-texts.ts';
import { contractFiles, contractOptions, projectApi } from '../project.ts';
import { runSchemathesis } from './schemathesis-run.ts';
import { credentialsConfig, testSecurity } from './test-credentials.ts';
import { startTestServer } from './test-server.ts';
import { testedDocument } from './tested-document.ts';
import { prepare } from './virtual-environment.ts';

export const testCommand = command({
  summary: 'sends generated requests to a server and holds its answers to the contracts',
  help: `accord test [--url <address>] [--seed <number>] [--examples <number>] [--header <name: value>]

Runs schemathesis on the contracts of the project: examples, the edges of every bound, random valid and invalid
requests. It serves the project's API (or a mock of its contracts) by itself, or asks the server at --url. Python 3.11
is needed; schemathesis is installed into --venv (.venv). What fails is listed with a curl line that repeats it.

  accord test
  accord test --examples 200 --seed 7
  accord test --url http://127.0.0.1:3000 --header 'Authorization: Bearer <token>'
`,
  options: {
    ...contractOptions,
    url: { type: 'string' },
    seed: { type: 'string', default: '1' },
    examples: { type: 'string', default: '20' },
    header: { type: 'string', multiple: true, default: [] },
    venv: { type: 'string', default: '.venv' },
  },
  async run({ url, seed, examples, header: headers, venv, ...given }) {
    for (const [name, text] of Object.entries({ seed, examples })) {
      if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new WrongUse(`--${name} takes a whole number`);
    }
    const { openapi, schema } = contractFiles(given);
    const contract =
      openapi === undefined
        ? undefined
        : await readContract(pathToFileURL(openapi), { lenient: true });
    const sdl = schema === undefined ? undefined : readFileSync(schema, 'utf8');
    // What is broken is told before the work.
    if (schema !== undefined && sdl !== undefined) readSdl(sdl, shownFile(schema), () => {});
    const prepared = prepare(resolve(venv));
    if ('missing' in prepared) throw new Error(prepared.missing);
    const server = url === undefined ? await startProject(given, contract) : undefined;
    const address = (server?.url ?? url ?? '').replace(/\/$/, '');
    const common = { ...prepared, seed, examples, headers };
    const hasCredentials = headers.some((each) => /^authorization:/i.test(each));
    let isRight = true;
    try {
      if (contract) {
        isRight = await runSchemathesis({
          ...common,
          contract: { name: 'openapi.yaml', text: testedDocument(contract) },
          url: address,
          config: hasCredentials ? [] : credentialsConfig(contract, server?.security),
        });
      }
      if (sdl !== undefined) {
        const isAlsoRight = await runSchemathesis({
          ...common,
          contract: { name: 'schema.graphql', text: sdl },
          url: `${address}/graphql`,
          config: [],
        });
        isRight &&= isAlsoRight;
      }
    } finally {
      await server?.stop();
    }
    return isRight;
  },
});

/** The API of the project; a scheme without a function of its own admits the credentials of the test. */
async function startProject(
  given: { readonly openapi?: string; readonly schema?: string },
  contract: Contract | undefined,
) {
  const api = await projectApi(given);
  const own = api.security ?? {};
  const security = { ...(contract && testSecurity(contract)), ...own };
  return { ...(await startTestServer({ ...api, security })), security: own };
}
