import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Operation } from '../contract/operation.ts';
import type { Route } from '../contract/routes.ts';
import { ApiError, type InputError } from '../errors.ts';

/** A fault as express-openapi-validator tells it, which is asked about a body that has the parameters in it. */
export type Fault = { readonly path: string; readonly message: string };

/** The errors of Ajv as faults. */
export function faultsFrom(errors: readonly ErrorObject[] | null | undefined): Fault[] {
  return (errors ?? []).map(({ instancePath, params, message = '' }) => {
    const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues } = params;
    const member = missingProperty ?? additionalProperty ?? unevaluatedProperty;
    return {
      path: `/body${instancePath}${member === undefined ? '' : `/${member}`}`,
      message: allowedValues ? `${message}: ${allowedValues.join(', ')}` : message,
    };
  });
}

/** What the validator refused as the API's own error; anything else that it threw as it is. */
export function asApiError(error: unknown, route: Route, operation: Operation | undefined) {
  const { status, errors: faults } = Object(error);
  if (status === 405) {
    return new ApiError('method-not-allowed', { headers: { Allow: route.allow } });
  }
  if (status !== 400 || !operation) return error;
  const errors = [faults].flat().filter(isTold).map(inputError);
  const isMissed = operation.parameters.some(
    ({ in: place, name, malformedStatus }) =>
      malformedStatus === 404 &&
      errors.some(({ path }) => `${path}/`.startsWith(`/${place}/${name}/`)),
  );
  // Where the contract says so, a path with a malformed value is a path that is not there.
  return isMissed ? new ApiError('not-found') : new ApiError('invalid-request', { errors });
}

/** Whether an error says more than that another error is one. */
export function isTold({ message }: Fault): boolean {
  return message !== 'must match "then" schema' && message !== 'must match "else" schema';
}

function inputError({ path, message }: Fault): InputError {
  // It gives no path to an unknown property whose name is empty; only bodies have such.
  return { path: path === '' ? '/body/' : path.replace('/body', ''), message: plainer(message) };
}

/** What the validator says, in fewer or plainer words. */
export function plainer(message: string): string {
  if (message === 'must NOT have additional properties') return 'is not a known property';
  if (message === 'must NOT have unevaluated properties') return 'is not a known property';
  // What it says of a null.
  if (message === 'must pass "readOnly" keyword validation') return 'is read-only';
  if (message.startsWith('must have required property')) return 'is required';
  if (message === 'must match format "text"') return 'must be well-formed Unicode text';
  if (message === 'must match pattern "^[^\\u0000]*$"') return 'must not contain U+0000';
  return message;
}
