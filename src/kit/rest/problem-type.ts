import type { Contract } from '../contract/contract.ts';
import { isJsonType } from '../contract/media-type.ts';
import type { ResponseObject } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { responseOf } from '../contract/response-check.ts';
import type { Problem } from './problem.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/**
 * The media type of the kit's problem: `application/problem+json`, or another type of JSON under which the contract
 * declares the response, if its schema admits the problem; undefined where it declares another body. Where it does not
 * declare the response, the contract's first error decides.
 */
export function createProblemType(
  contract: Pick<Contract, 'operations' | 'schemas'>,
): (operation: Operation | undefined, problem: Problem) => string | undefined {
  let common: string | undefined;

  function typeIn({ content = {} }: ResponseObject, problem: Problem): string | undefined {
    if (Object.hasOwn(content, PROBLEM_TYPE)) return PROBLEM_TYPE;
    const admitting = Object.entries(content).find(
      ([type, { schema }]) =>
        // Validation fills in defaults.
        isJsonType(type) && (!schema || contract.schemas(schema)(structuredClone(problem))),
    );
    return admitting?.[0];
  }

  function commonType(problem: Problem): string {
    const first = contract.operations
      .flatMap(({ responses }) => [...responses])
      .filter(([status]) => /^([45]|default$)/.test(status))
      .find(([, { content = {} }]) => Object.keys(content).some(isJsonType));
    if (!first) return PROBLEM_TYPE;
    // A range and `default` are no numbers.
    const status = Number(first[0]) || problem.status;
    return typeIn(first[1], { ...problem, status }) ?? PROBLEM_TYPE;
  }

  return (operation, problem) => {
    const declared = operation && responseOf(operation, problem.status);
    if (declared?.content) return typeIn(declared, problem);
    // A description alone: `response-check.ts` admits a problem of this type.
    if (declared) return PROBLEM_TYPE;
    common ??= commonType(problem);
    return common;
  };
}
