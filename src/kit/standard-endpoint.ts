import type { Contract } from './contract/contract.ts';
import { requireRead } from './docs/root.ts';
import type { Exchange, Reply } from './http/exchange.ts';
import type { MaybePromise } from './maybe-promise.ts';
import { contractHandlers } from './rest/contract-files.ts';
import type { AnyReply } from './rest/handler.ts';
import { sentReply } from './rest/handler-reply.ts';
import { readinessHandlers } from './rest/readiness.ts';
import type { StoreControls } from './store/store.ts';

type Parts = {
  readonly contract: Contract;
  /** Empty in a server without GraphQL. */
  readonly sdl: string;
  readonly arePublic: boolean;
  readonly store: Pick<StoreControls, 'ping'>;
  readonly isDraining: () => boolean;
  readonly metrics: () => Promise<string>;
};

type StandardEndpoint = {
  /** The paths that it answers. */
  readonly paths: ReadonlySet<string>;
  /** Undefined for any other path. */
  answer(asked: Pick<Exchange, 'method' | 'path'>): Promise<Reply> | undefined;
};

/** Health, readiness, metrics and the contract files, where no path of the contract is theirs. */
export function createStandardEndpoint(parts: Parts): StandardEndpoint {
  const { contract, sdl, arePublic, metrics } = parts;
  const { getHealth, getReadiness } = readinessHandlers(parts.store, parts.isDraining);
  const files = contractHandlers(parts);
  const hasRest = arePublic && contract.text !== '';
  const hasGraphql = arePublic && sdl !== '';
  const all: readonly Entry[] = [
    ['/healthz', 'application/json', getHealth],
    ['/readyz', 'application/json', getReadiness],
    ['/metrics', 'text/plain', async () => ({ status: 200, body: await metrics() })],
    ...(hasRest ? [['/openapi.yaml', 'application/yaml', files.yaml] as const] : []),
    ...(hasRest ? [['/openapi.json', 'application/json', files.json] as const] : []),
    ...(hasGraphql ? [['/schema.graphql', 'application/graphql', files.graphql] as const] : []),
  ];
  const offered = new Map(
    all
      .filter(([path]) => !contract.routes(path))
      .map(([path, type, make]) => [path, async () => sentReply({ ...(await make()), type })]),
  );
  return {
    paths: new Set(offered.keys()),
    answer({ method, path }) {
      const make = offered.get(path);
      if (make) requireRead(method);
      return make?.();
    },
  };
}

type Entry = readonly [path: string, type: string, make: () => MaybePromise<AnyReply>];
