import type { GraphQLSchema } from 'graphql';
import { examplesIn } from '../../docs/examples.ts';
import type { ApiCall } from '../../sdk/api-call.ts';
import { createExampleCalls } from '../../sdk/example-call.ts';
import { modelOf } from '../../sdk/model.ts';
import type { Contracts } from '../contract/contract-texts.ts';
import { sourcesOf } from '../sdk/sdk-sources.ts';
import { rootDocuments } from '../test/root-documents.ts';
import type { Sent } from './exchanges.ts';

/** Gives a request for an operation, with the optional parameters that are named; undefined where none can be made. */
export function createRestRequests(
  contracts: Contracts,
): (operation: string, extra: readonly string[]) => Sent | undefined {
  if (contracts.openapi === '') return () => undefined;
  const sources = sourcesOf(contracts);
  const calls = new Map<string, ApiCall>(
    modelOf(sources).groups.flatMap((group) =>
      group.calls.map((call) => [`${call.method} ${call.path}`, call] as const),
    ),
  );
  const exampleOf = createExampleCalls(sources);
  return (operation, extra) => {
    const call = calls.get(operation);
    return call && requestOf(call, exampleOf({ ...call, options: asked(call, extra) }));
  };
}

/** The parameters that a request shows: what it needs, and what is new. */
function asked({ options }: ApiCall, extra: readonly string[]): ApiCall['options'] {
  return options
    .filter(({ required, name }) => required || extra.includes(name))
    .map((each) => ({ ...each, required: true }));
}

function requestOf(
  call: ApiCall,
  { path: values, body, options }: ReturnType<ReturnType<typeof createExampleCalls>>,
): Sent {
  const path = call.inPath.reduce(
    (text, { name }, i) => text.replace(`{${name}}`, encodeURIComponent(textOf(values[i]))),
    call.path,
  );
  const given = call.options.filter(({ key }) => options[key] !== undefined);
  const of = (place: string) =>
    given
      .filter((each) => each.in === place)
      .map(({ name, key }) => [name, textOf(options[key])] as const);
  const query = of('query').map(
    ([name, value]) =>
      `${encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']')}=${encodeURIComponent(value)}`,
  );
  const type = call.body && body !== undefined ? { 'Content-Type': call.body.mediaType } : {};
  return {
    method: call.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: { ...Object.fromEntries(of('header')), ...type },
    body:
      body === undefined
        ? ''
        : typeof body === 'string' && call.body?.kind !== 'json'
          ? body
          : JSON.stringify(body),
  };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** An operation of operations.graphql as a request. */
export function graphqlRequests(operations: string): Map<string, Sent> {
  if (operations.trim() === '') return new Map();
  return new Map(
    examplesIn(operations).map(({ name, query, variables }) => [
      name,
      graphqlRequest(query, variables ? JSON.parse(variables) : undefined),
    ]),
  );
}

/** A request for a field of Query or Mutation, with the arguments that it needs. */
export function rootRequest(schema: GraphQLSchema | undefined, name: string): Sent | undefined {
  const found = schema && rootDocuments(schema).find((each) => each.name === name)?.document;
  return found ? graphqlRequest(found) : undefined;
}

function graphqlRequest(query: string, variables?: unknown): Sent {
  const body = JSON.stringify({ query, ...(variables !== undefined && { variables }) });
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'Content-Type': 'application/json' },
    body,
  };
}
