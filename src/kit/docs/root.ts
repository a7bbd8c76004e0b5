import type { Contract } from '../contract/contract.ts';
import { ApiError } from '../errors.ts';
import { preferred } from '../http/accept.ts';
import type { Reply } from '../http/exchange.ts';
import type { Asked } from './static-file.ts';

/** Answers `/`, where the contract does not: a browser is sent to the pages, a program gets links. */
export function createRootEndpoint(
  contract: Contract,
  hasDocs: boolean,
): (asked: Asked) => Reply | undefined {
  const links = JSON.stringify(linksOf(contract, hasDocs));
  return ({ path, method, request }) => {
    if (path !== '/') return undefined;
    requireRead(method);
    const isPage =
      preferred(request.headers.accept, ['application/json', 'text/html']) === 'text/html';
    if (!hasDocs || !isPage) return { status: 200, headers: { Vary: 'Accept' }, body: links };
    const headers = { Location: '/docs', Vary: 'Accept' };
    return { status: 302, headers, type: 'text/plain; charset=utf-8', body: 'See /docs\n' };
  };
}

/** Refuses every method but GET and HEAD. */
export function requireRead(method: string): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new ApiError('method-not-allowed', { headers: { Allow: 'GET, HEAD' } });
}

type Links = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What is served; where the contracts are private, only what says nothing of what is in them. */
function linksOf({ operations }: Contract, isPublic: boolean): Links {
  const paths = new Set(operations.map(({ path }) => path));
  const served = (...known: string[]) => known.filter((path) => paths.has(path));
  const [graphql] = served('/graphql');
  const health = served('/healthz', '/readyz');
  if (!isPublic) return { graphql, health };
  const parents = new Set([...paths].map((path) => path.replace(/\/\{[^/]*\}$/, '/…')));
  const collections = [...paths].filter((path) => parents.has(`${path}/…`) && !path.includes('{'));
  const contracts = served('/openapi.yaml', '/openapi.json', '/schema.graphql');
  const [metrics] = served('/metrics');
  return { docs: '/docs', contracts, graphql, collections, health, metrics };
}
