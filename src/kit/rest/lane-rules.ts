import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { present } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { AnyInput } from './handler.ts';
import { createParameters, type ParameterValues } from './parameters.ts';
import { bodyForms } from './request-body.ts';
import { type Bound, createBound } from './request-bound.ts';
import { envelopesOf, NO_BODY, typeOf } from './request-envelope.ts';

/** Says whether an input is valid; throws where that takes too long. */
export type Admits = (input: AnyInput) => boolean;

/** How the lane judges the requests of an operation. */
export type Rules = {
  readonly read: (exchange: Exchange) => ParameterValues;
  /** Validates the values of a request without a body and fills in defaults; undefined where a body is required. */
  readonly admits: Admits | undefined;
  /** The same with a JSON body; undefined where the operation takes none, or others as well. */
  readonly admitsJson: Admits | undefined;
  readonly bound: Bound;
};

/** The rules of an operation: the reading and the schemas are the validator's own. */
export function rulesOf(contract: Contract, operation: Operation): Rules {
  const { document } = contract;
  const { body } = operation;
  const forms = body ? bodyForms(document, body) : [];
  const envelopes = envelopesOf(contract, operation, forms);
  const compiler = contract.createCompiler('first');
  const compile = (type: string): Admits => compiler(present(envelopes[type]), 'request');
  // Of several media types the input says which.
  const json = forms.length === 1 && forms[0]?.mediaType === 'application/json';
  return {
    read: createParameters(document, operation),
    admits: body?.required ? undefined : compile(NO_BODY),
    admitsJson: json ? compile(typeOf(0)) : undefined,
    bound: createBound(contract, forms[0]?.schema),
  };
}
