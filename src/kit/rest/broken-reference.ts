import type { Operation } from '../contract/operation.ts';
import { responseOf } from '../contract/response-check.ts';
import { ApiError, type ErrorCode, type InputError } from '../errors.ts';
import { brokenReferenceOf } from '../store/relations.ts';

/** How a status tells that a reference is broken, the most fitting first. */
type Telling = readonly (readonly [status: number, code: ErrorCode])[];

const unknown: Telling = [
  [422, 'invalid-request'],
  [409, 'conflict'],
  [404, 'not-found'],
  [400, 'invalid-request'],
];
// Of a path that names the record, it says that there is nothing.
const unknownInPath: Telling = [[404, 'not-found'], ...unknown];
const referenced: Telling = [
  [409, 'conflict'],
  [422, 'conflict'],
];

/**
 * An error of the store as the operation declares it: the most fitting of its statuses where a write names a record
 * that is not there, or would remove one that others refer to. Any other error is given back.
 */
export function asDeclared(error: ApiError, operation: Operation | undefined): ApiError {
  const broken = operation && brokenReferenceOf(error);
  if (!broken) return error;
  const { message: detail, cause } = error;
  const { field, kind } = broken;
  if (kind === 'referenced') {
    const [status, code] = declared(operation, referenced) ?? [409, 'conflict'];
    return new ApiError(code, { status, detail, cause });
  }
  const isInPath = operation.names.includes(field);
  const telling = isInPath ? unknownInPath : unknown;
  const [status, code] = declared(operation, telling) ?? [400, 'invalid-request'];
  return new ApiError(code, { status, detail, cause, ...faultAt(operation, field, isInPath) });
}

/** A status that the operation declares by its number; otherwise the first that a range or `default` includes. */
function declared(operation: Operation, telling: Telling): Telling[number] | undefined {
  return (
    telling.find(([status]) => operation.responses.has(String(status))) ??
    telling.find(([status]) => responseOf(operation, status))
  );
}

function faultAt(
  { body }: Operation,
  field: string,
  isInPath: boolean,
): { readonly errors?: readonly InputError[] } {
  if (!isInPath && !body) return {};
  const path = isInPath ? `/path/${field}` : `/body/${field}`;
  return { errors: [{ path, message: 'must be the id of a record that is there' }] };
}
