import type { GraphQLSchema } from 'graphql';
import type { Contract } from '../../contract/contract.ts';
import { allGraphqlParts } from './graphql-parts.ts';
import { allRestParts } from './rest-parts.ts';

/** A part of a contract, its count of requests, and why it is unreachable. */
export type Part = { readonly name: string; readonly count: number; readonly reason?: string };

export type Section = {
  readonly title: string;
  /** Whether all of it must have been exercised. */
  readonly isRequired: boolean;
  readonly parts: readonly Part[];
};

export type Report = {
  readonly version: string;
  readonly isComplete: boolean;
  readonly sections: readonly Section[];
};

type Unreachable = readonly (readonly [pattern: RegExp, reason: string])[];

// Parts that no request can exercise; the problem types are those of the kit.
const unreachable: Unreachable = [
  [/ → 5(00|XX)$/, 'only a failure of the server itself gives it'],
  [/ → 503$/, 'only a database that does not answer or too much to do gives it'],
  [/ = urn:accord:problem:internal-error$/, 'only a failure of the server itself gives it'],
  [
    / = urn:accord:problem:unavailable$/,
    'only a database that does not answer or too much to do gives it',
  ],
  [/ = INTERNAL_SERVER_ERROR$/, 'only a failure of the server itself gives it'],
  [/ = UNAVAILABLE$/, 'only a database that does not answer or too much to do gives it'],
  [
    / = urn:accord:problem:(request-timeout|headers-too-large)$/,
    'the HTTP parser gives it, outside any operation',
  ],
];
const withoutConflicts: Unreachable = [
  [/ = urn:accord:problem:conflict$/, 'no REST operation has a rule that two records could break'],
];

/** The parts of both contracts with their counts. */
export function coverageReport(
  contract: Contract,
  schema: GraphQLSchema | undefined,
  counts: ReadonlyMap<string, number>,
): Report {
  const mayConflict = contract.operations.some(({ responses }) => responses.has('409'));
  const reasons = mayConflict ? unreachable : [...unreachable, ...withoutConflicts];
  const counted = (name: string) => partOf(name, counts, reasons);
  const rest = [...allRestParts(contract)].map(counted);
  const graphql = [...(schema ? allGraphqlParts(schema) : [])].map(counted);
  const where = (parts: Part[], pattern: RegExp) => parts.filter(({ name }) => pattern.test(name));
  const sections: Section[] = [
    { title: 'Operation and status', isRequired: true, parts: where(rest, / → /) },
    { title: 'Parameter', isRequired: true, parts: where(rest, / ← /) },
    { title: 'Property', isRequired: false, parts: where(rest, /^[^=→←]*$/) },
    { title: 'Enum value and error code', isRequired: false, parts: where(rest, / = /) },
    { title: 'GraphQL field', isRequired: true, parts: where(graphql, /^[^(]*$/) },
    { title: 'GraphQL argument', isRequired: true, parts: where(graphql, /\(/) },
  ];
  const isComplete = sections
    .filter(({ isRequired }) => isRequired)
    .every(({ parts }) => parts.every(({ count, reason }) => count > 0 || reason));
  return { version: contract.document.info.version, isComplete, sections };
}

function partOf(name: string, counts: ReadonlyMap<string, number>, reasons: Unreachable): Part {
  const count = counts.get(name) ?? 0;
  const reason = reasons.find(([pattern]) => pattern.test(name))?.[1];
  return { name, count, ...(reason && { reason }) };
}
