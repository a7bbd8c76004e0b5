import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphQLSchema, parse } from 'graphql';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Exchange, Tap } from '../../http/exchange.ts';
import { partsOfDocument } from './graphql-parts.ts';
import {
  declaredStatus,
  parameterPart,
  partsOf,
  responseSchema,
  statusPart,
} from './rest-parts.ts';

/** Counts how many requests exercise each part of the two contracts. */
export type ContractCoverage = {
  readonly tap: Tap;
  /** Writes the counts to a new file in a folder. */
  write(folder: string): void;
};

export function createContractCoverage(
  contract: Contract,
  schema: GraphQLSchema | undefined,
): ContractCoverage {
  const counts = new Map<string, number>();
  return {
    tap(exchange, { reply, isSent, text }) {
      if (!reply || !isSent) return;
      const { status } = reply;
      const bodies = { sent: json(exchange.body?.toString()), answered: json(text) };
      const rest = operationsOf(exchange, status).flatMap((operation) =>
        partsOfExchange(contract, operation, exchange, { status, ...bodies }),
      );
      const parts = [...rest, ...(schema ? graphqlParts(schema, exchange, bodies) : [])];
      for (const part of new Set(parts)) counts.set(part, (counts.get(part) ?? 0) + 1);
    },
    write(folder) {
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${process.pid}-${performance.now()}.json`);
      writeFileSync(file, JSON.stringify(Object.fromEntries(counts)));
    },
  };
}

type Bodies = { readonly sent: unknown; readonly answered: unknown };

/** A 405 is a response of the path, so it counts for every operation on it. */
function operationsOf({ match, operation }: Exchange, status: number): Operation[] {
  if (status === 405) return [...(match?.route.operations.values() ?? [])];
  return operation ? [operation] : [];
}

function partsOfExchange(
  contract: Contract,
  operation: Operation,
  { request, query }: Exchange,
  { status: given, sent, answered }: Bodies & { readonly status: number },
): string[] {
  const { bodySchema: input } = operation;
  const status = declaredStatus(operation, given);
  const output = responseSchema(operation, status);
  const names = new Set([...Object.keys(request.headers), ...new URLSearchParams(query).keys()]);
  const parameters = operation.parameters.filter(
    ({ in: place, name }) =>
      place === 'path' || names.has(place === 'header' ? name.toLowerCase() : name),
  );
  return [
    statusPart(operation, status),
    ...parameters.map(({ name }) => parameterPart(operation, name)),
    ...(input ? partsOf(contract, input, sent) : []),
    ...(output ? partsOf(contract, output, answered) : []),
  ];
}

/** What an operation that was executed uses. */
function graphqlParts(
  schema: GraphQLSchema,
  { path, method }: Exchange,
  { sent, answered }: Bodies,
): Iterable<string> {
  const { query } = Object(sent);
  const isExecuted = path === '/graphql' && method === 'POST' && 'data' in Object(answered);
  return isExecuted && typeof query === 'string' ? partsOfDocument(schema, parse(query)) : [];
}

function json(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
