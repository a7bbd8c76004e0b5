import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Api } from '../../src/kit/api-declaration.ts';
import { type Contract, parseContract } from '../../src/kit/contract/contract.ts';
import type { Tap } from '../../src/kit/http/exchange.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import type { AnyHandlers } from '../../src/kit/rest/handler.ts';
import { serve } from '../../src/kit/serve.ts';
import { atOnce } from '../../tools/support/server-process.ts';

type ContractServer = {
  readonly url: string;
  readonly contract: Contract;
  readonly log: string[];
  /** What it counts. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
};

type Options = {
  /** Which share of the responses is checked against the contract. */
  readonly share?: number;
  readonly fastLane?: boolean;
  readonly tap?: Tap;
  /** More settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** An SDL. */
  readonly graphql?: string;
} & Pick<Api, 'security' | 'problem' | 'resolvers' | 'formats' | 'mocks' | 'lenient'>;

/** Serves a contract of the test's own, by the full path alone unless there is to be a fast lane. */
export async function serveContract(
  text: string,
  handlers: AnyHandlers,
  { share = 0, fastLane = false, tap, env = {}, graphql, ...own }: Options = {},
): Promise<ContractServer> {
  const log: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, text);
  const sdl = join(folder, 'schema.graphql');
  if (graphql !== undefined) writeFileSync(sdl, graphql);
  let metrics = async () => '';
  const api = {
    ...own,
    openapi: pathToFileURL(file),
    ...(graphql !== undefined && { graphql: pathToFileURL(sdl) }),
    handlers: (parts: { readonly metrics: () => Promise<string> }) => {
      metrics = parts.metrics;
      return handlers;
    },
  };
  const settings = readSettings({
    ...atOnce,
    PORT: '0',
    FAST_LANE: fastLane ? 'on' : 'off',
    RESPONSE_SAMPLE: String(share),
    ...env,
  });
  try {
    const running = await serve(api, {
      settings,
      log: createLog('info', (line) => log.push(line)),
      taps: tap ? [tap] : [],
    });
    return {
      url: running.url,
      contract: await parseContract(text, 'openapi.yaml', {
        formats: own.formats ?? {},
        lenient: own.lenient ?? false,
      }),
      log,
      metrics,
      stop: running.stop,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
