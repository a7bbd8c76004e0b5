import type { Operation } from '../contract/operation.ts';
import { ApiError, type InputError, present } from '../errors.ts';

/** What the validator says when it refuses a request. */
type Refused = {
  readonly status?: number;
  readonly errors: readonly Fault[];
  readonly headers?: { readonly Allow?: string };
};
type Fault = { readonly path: string; readonly message: string };

/** What the validator refused, as the API's own error. */
export function asApiError(error: Refused, operation: Operation | undefined): unknown {
  if (error.status === 405) {
    return new ApiError('method-not-allowed', { headers: { Allow: allowed(error) } });
  }
  if (error.status !== 400) return error;
  const errors = error.errors.map(inputError);
  const isMissed = operation?.parameters.some(
    ({ in: place, name, malformedStatus }) =>
      malformedStatus === 404 && errors.some(({ path }) => path === `/${place}/${name}`),
  );
  // Where the contract says so, a path with a malformed value is a path that is not there.
  return isMissed ? new ApiError('not-found') : new ApiError('invalid-request', { errors });
}

// HEAD is answered wherever GET is, though the contract does not list it.
function allowed(error: Refused): string {
  const methods = present(error.headers?.Allow).split(', ').sort();
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

function inputError({ path, message }: Fault): InputError {
  // The validator gives no path to an unknown property whose name is empty; only bodies have such.
  const place = path === '' ? '/body/' : path.replace(/^\/params\//, '/path/');
  return { path: place, message: plainer(message) };
}

function plainer(message: string): string {
  if (message.startsWith('Unknown query parameter')) return 'is not a parameter of this operation';
  if (message.startsWith('Empty value found')) return 'must not be empty';
  if (message === 'must NOT have additional properties') return 'is not a known property';
  if (message.startsWith('must have required property')) return 'is required';
  if (message === 'must match format "text"') return 'must be well-formed Unicode text';
  if (message === 'must match pattern "^[^\\u0000]*$"') return 'must not contain U+0000';
  return message;
}
