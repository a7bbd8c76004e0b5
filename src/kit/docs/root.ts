import type { Contract } from '../contract/contract.ts';
import { ApiError } from '../errors.ts';
import type { Exchange, Reply } from '../http/exchange.ts';

/** Answers `/`, where the contract does not: a browser is sent to the pages, a program gets links. */
export function createRootEndpoint(
  contract: Contract,
  hasDocs: boolean,
): (exchange: Exchange) => Reply | undefined {
  const links = JSON.stringify(linksOf(contract, hasDocs));
  const headers = { Vary: 'Accept' };
  return ({ path, method, request }) => {
    if (path !== '/') return undefined;
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError('method-not-allowed', { headers: { Allow: 'GET, HEAD' } });
    }
    if (!hasDocs || !prefersHtml(request.headers.accept)) {
      return { status: 200, headers, body: links };
    }
    return {
      status: 302,
      headers: { Location: '/docs', ...headers },
      type: 'text/plain; charset=utf-8',
      body: 'See /docs\n',
    };
  };
}

/** Whether HTML is more welcome than JSON: by quality, then by how exactly it is named, then by order. */
function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const html = welcome(accept, 'text', 'html');
  const json = welcome(accept, 'application', 'json');
  if (!html || !json) return html !== undefined;
  return (html.q - json.q || html.exactness - json.exactness || json.order - html.order) > 0;
}

/** How welcome a media type is; undefined when it is not. */
function welcome(accept: string, type: string, subtype: string) {
  const specs = accept.split(',').flatMap((entry, order) => {
    const [range = '', ...parameters] = entry.split(';').map((each) => each.trim().toLowerCase());
    const [major, minor] = range.split('/');
    const quality = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1';
    const isMatch =
      (major === type || major === '*') &&
      (minor === subtype || minor === '*') &&
      parameters.every((each) => each.startsWith('q='));
    const exactness = (major === type ? 4 : 0) + (minor === subtype ? 2 : 0);
    return isMatch ? [{ q: Number.parseFloat(quality), exactness, order }] : [];
  });
  const [best] = specs.sort((a, b) => b.exactness - a.exactness || b.q - a.q || a.order - b.order);
  return best && best.q > 0 ? best : undefined;
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
