import type { Contract } from '../contract/contract.ts';
import { ApiError } from '../errors.ts';
import { preferred } from '../http/accept.ts';
import type { Reply } from '../http/exchange.ts';
import { contractFiles } from '../http/standard-paths.ts';
import type { Asked } from './static-file.ts';

type Served = {
  /** Whether there are pages, and the contracts are public. */
  readonly hasDocs: boolean;
  /** Paths that are answered beside those of the contract. */
  readonly others: ReadonlySet<string>;
};

/** Answers `/`, where the contract does not: a browser is sent to the pages, a program gets links. */
export function createRootEndpoint(
  contract: Contract,
  served: Served,
): (asked: Asked) => Reply | undefined {
  const { hasDocs } = served;
  const links = JSON.stringify(linksOf(contract, served));
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
function linksOf({ operations }: Contract, { hasDocs, others }: Served): Links {
  const own = new Set(operations.map(({ path }) => path));
  const served = (known: Iterable<string>) =>
    [...known].filter((path) => own.has(path) || others.has(path));
  const [graphql] = served(['/graphql']);
  const [metrics] = served(['/metrics']);
  const health = served(['/healthz', '/readyz']);
  if (!hasDocs) return { graphql, health };
  const parents = new Set([...own].map((path) => path.replace(/\/\{[^/]*\}$/, '/…')));
  const collections = [...own].filter((path) => parents.has(`${path}/…`) && !path.includes('{'));
  return {
    docs: '/docs',
    contracts: some(served(contractFiles)),
    graphql,
    collections: some(collections),
    health,
    metrics,
  };
}

function some(paths: readonly string[]): readonly string[] | undefined {
  return paths.length > 0 ? paths : undefined;
}
