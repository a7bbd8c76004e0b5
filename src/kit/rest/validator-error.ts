import type { Operation, Parameter } from '../contract/operation.ts';
import type { Match, Route } from '../contract/routes.ts';
import { ApiError, type InputError } from '../errors.ts';

type Fault = { readonly path: string; readonly message: string };

/** The name of a route's i-th path parameter as the validator knows it. */
export function nameOf(i: number): string {
  return `p${i}`;
}

/** What the validator refused as the API's own error; anything else that it threw as it is. */
export function asApiError(error: unknown, { route }: Match, operation: Operation | undefined) {
  const { status, errors: faults } = Object(error);
  if (status === 405) {
    return new ApiError('method-not-allowed', { headers: { Allow: route.allow } });
  }
  if (status !== 400 || !operation) return error;
  const errors = [faults].flat().map((fault: Fault) => inputError(named(fault, route), operation));
  const isMissed = operation.parameters.some(
    ({ in: place, name, malformedStatus }) =>
      malformedStatus === 404 && errors.some(({ path }) => path === `/${place}/${name}`),
  );
  // Where the contract says so, a path with a malformed value is a path that is not there.
  return isMissed ? new ApiError('not-found') : new ApiError('invalid-request', { errors });
}

/** With the contract's own names of path parameters. */
function named({ path, message }: Fault, { names }: Route): Fault {
  const i = names.findIndex((_, i) => path === `/params/${nameOf(i)}`);
  return { path: i < 0 ? path : `/params/${names[i]}`, message };
}

function inputError({ path, message }: Fault, operation: Operation): InputError {
  if (operation.discriminator !== undefined) return discriminated({ path, message }, operation);
  // The validator gives no path to an unknown property whose name is empty; only bodies have such.
  const place = path === '' ? '/body/' : path.replace(/^\/params\//, '/path/');
  return { path: place, message: plainer(message) };
}

/** In a body with a discriminator the validator names places from the body's root, and for the discriminator none. */
function discriminated({ path, message }: Fault, operation: Operation): InputError {
  const name = String(operation.discriminator);
  const start = `'${name}' must be equal to one of the allowed values: `;
  if (message.startsWith(start)) {
    return { path: `/body/${name}`, message: message.slice(name.length + 3, -1) };
  }
  const isParameter = operation.parameters.some((each) => path === pointerOf(each));
  const place = isParameter ? path.replace(/^\/params\//, '/path/') : `/body${path}`;
  return { path: place, message: plainer(message) };
}

const places = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;

function pointerOf({ in: place, name }: Parameter): string {
  return `/${places[place]}/${place === 'header' ? name.toLowerCase() : name}`;
}

function plainer(message: string): string {
  if (message.startsWith('Unknown query parameter')) return 'is not a parameter of this operation';
  if (message.startsWith('Empty value found')) return 'must not be empty';
  if (message === 'must NOT have additional properties') return 'is not a known property';
  // What it says of a null.
  if (message === 'must pass "readOnly" keyword validation') return 'is read-only';
  if (message.startsWith('must have required property')) return 'is required';
  if (message === 'must match format "text"') return 'must be well-formed Unicode text';
  if (message === 'must match pattern "^[^\\u0000]*$"') return 'must not contain U+0000';
  return message;
}
