import type { RequestHandler } from 'express';
import type { Contract } from '../contract/contract.ts';
import { ApiError } from '../errors.ts';
import { sendWhole } from '../http/reply.ts';

/** Answers `/`, where the contract does not: a browser is sent to the pages, a program gets links. */
export function rootEndpoint(contract: Contract, hasDocs: boolean): RequestHandler {
  const links = JSON.stringify(linksOf(contract, hasDocs));
  const headers = { Vary: 'Accept' };
  return (request, response, next) => {
    const { path, method } = request;
    if (path !== '/') return next();
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError('method-not-allowed', { headers: { Allow: 'GET, HEAD' } });
    }
    // Of two that are equally welcome the first is taken.
    if (hasDocs && request.accepts(['json', 'html']) === 'html') {
      sendWhole(response, {
        status: 302,
        headers: { Location: '/docs', ...headers },
        type: 'text/plain; charset=utf-8',
        body: 'See /docs\n',
      });
    } else {
      sendWhole(response, { status: 200, headers, body: links });
    }
  };
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
