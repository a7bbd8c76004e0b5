import { pathToFileURL } from 'node:url';
import type { Contract } from '../../src/kit/contract/contract.ts';
import type { ResponseObject } from '../../src/kit/contract/openapi-document.ts';
import type { Operation } from '../../src/kit/contract/operation.ts';
import { keepCompiledCode } from '../../src/kit/process/compile-cache.ts';
import type { AnyHandlers } from '../../src/kit/rest/handler.ts';

keepCompiledCode();
const { resolve } = await import('../../src/kit/contract/openapi-document.ts');
const { json } = await import('../../src/kit/json-text.ts');
const { createLog } = await import('../../src/kit/observe/log.ts');
const { createKeptChecks } = await import('../../src/kit/process/kept-checks.ts');
const { readSettings } = await import('../../src/kit/process/settings.ts');
const { untilSignal } = await import('../../src/kit/process/signals.ts');
const { serve } = await import('../../src/kit/serve.ts');

/** Serves an OpenAPI description, and an SDL where one is named, with handlers that answer the contract's examples. */
const { OPENAPI = '', SDL, ...env } = process.env;
const settings = readSettings(env);
const log = createLog(settings.logLevel, (line) => process.stdout.write(line));
const signal = untilSignal(['SIGINT', 'SIGTERM']);
const { url, stop } = await serve(
  {
    openapi: pathToFileURL(OPENAPI),
    ...(SDL && { graphql: pathToFileURL(SDL) }),
    lenient: true,
    handlers: ({ contract }) => stubs(contract),
  },
  { settings, log, checks: createKeptChecks() },
);
log.info(`Accord is at ${url}`);
await signal;
await stop();

function stubs(contract: Contract): AnyHandlers {
  return Object.fromEntries(contract.operations.map((each) => [each.id, stub(contract, each)]));
}

/** Answers the first example of the first response that is a success, or has any. */
function stub({ document }: Contract, { responses }: Operation) {
  const [status = '200', response = {}] =
    [...responses].find(([each]) => each.startsWith('2')) ?? [...responses][0] ?? [];
  const body = () => {
    const [media] = Object.values((response as ResponseObject).content ?? {});
    if (!media) return undefined;
    const [example] = Object.values(media.examples ?? {});
    return json(example ? resolve(document, example).value : (media.example ?? {}));
  };
  return () => ({ status: Number(status), headers: {}, body: body() });
}
