import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type GraphQLSchema, parse } from 'graphql';
import type { Contract } from '../../src/kit/contract/contract.ts';
import type { Operation } from '../../src/kit/contract/operation.ts';
import { splitTarget } from '../../src/kit/http/target.ts';
import { capture } from './capture.ts';
import { partsOfDocument } from './graphql-parts.ts';
import { parameterPart, partsOf, responseSchema, statusPart } from './rest-parts.ts';

/** Counts how many requests exercise each part of the two contracts. */
export type ContractCoverage = {
  /** Watches one exchange; to be called before anybody reads the request or answers it, and its result after. */
  observe(request: IncomingMessage, response: ServerResponse): () => void;
  /** Writes the counts into a folder, to a file of their own. */
  write(folder: string): void;
};

export function createContractCoverage(
  contract: Contract,
  schema: GraphQLSchema,
): ContractCoverage {
  const counts = new Map<string, number>();
  return {
    observe(request, response) {
      const { method = '', url = '' } = request;
      const texts = capture(request, response);
      return () => {
        const { sent, answered } = texts();
        const names = [
          ...Object.keys(request.headers),
          ...new URLSearchParams(splitTarget(url)[1]).keys(),
        ];
        const exchange = {
          status: response.statusCode,
          names,
          sent: json(sent),
          answered: json(answered),
        };
        const parts = asked(contract, method, url, exchange.status).flatMap((operation) =>
          partsOfExchange(contract, schema, operation, exchange),
        );
        for (const part of new Set(parts)) counts.set(part, (counts.get(part) ?? 0) + 1);
      };
    },
    write(folder) {
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${process.pid}-${performance.now()}.json`);
      writeFileSync(file, JSON.stringify(Object.fromEntries(counts)));
    },
  };
}

type Exchange = {
  readonly status: number;
  /** The names of its headers and query parameters. */
  readonly names: readonly string[];
  readonly sent: unknown;
  readonly answered: unknown;
};

/** The operation that was asked for. A 405 is the answer of a path, for every operation on it. */
function asked(contract: Contract, method: string, url: string, status: number): Operation[] {
  const operations = contract.routes(splitTarget(url)[0])?.route.operations;
  if (status === 405) return [...(operations?.values() ?? [])];
  const operation = operations?.get(method === 'HEAD' ? 'GET' : method);
  return operation ? [operation] : [];
}

function partsOfExchange(
  contract: Contract,
  schema: GraphQLSchema,
  operation: Operation,
  { status, names, sent, answered }: Exchange,
): string[] {
  const { bodySchema: input } = operation;
  const output = responseSchema(contract, operation, status);
  const given = operation.parameters.filter(
    ({ in: place, name }) =>
      place === 'path' || names.includes(place === 'header' ? name.toLowerCase() : name),
  );
  const isExecuted = operation.id === 'executeGraphql' && 'data' in Object(answered);
  return [
    statusPart(operation, status),
    ...given.map(({ name }) => parameterPart(operation, name)),
    ...(input ? partsOf(contract, input, sent) : []),
    ...(output ? partsOf(contract, output, answered) : []),
    ...(isExecuted ? partsOfDocument(schema, parse(Object(sent).query)) : []),
  ];
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
