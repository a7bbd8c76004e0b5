import type { Contract } from '../contract/contract.ts';
import type { Referable, SchemaObject } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { responseOf } from '../contract/response-check.ts';
import { ApiError, type InputError, invalid } from '../errors.ts';
import { createFaultsOf, type Faults } from './judging.ts';
import { isMap, mergePatch } from './merge-patch.ts';
import { createBound } from './request-bound.ts';
import { createSchemaReader } from './schema-parts.ts';
import { faultsFrom, isTold, plainer } from './validator-error.ts';

/** A record with a merge patch applied, as an input of its resource admits it; otherwise the request is refused. */
export type Patched = (record: object, patch: unknown) => Readonly<Record<string, unknown>>;

/**
 * Patches the records of an operation's resource. What comes of it is held to the body of PUT on the same path, without
 * one to that of POST on the path above, and else to the operation's own reply. Members of the record that an input
 * does not have stay as they are.
 */
export function createPatched(contract: Contract, operation: Operation): Patched {
  const schema = inputSchema(contract, operation);
  const reader = createSchemaReader(contract.document);
  const bound = createBound(contract, schema);
  const faultsOf = createFaultsOf(contract, Object(schema));
  const compiled = (faults: Faults) => contract.createCompiler(faults)(schema, 'request');
  const judges = { all: compiled('all'), first: compiled('first') };
  const properties = reader.properties(schema);
  const isInput = (name: string) =>
    properties.size === 0 ||
    (properties.has(name) &&
      !reader.parts(properties.get(name)).some(({ readOnly }) => readOnly === true));

  return (record, patch) => {
    const merged = mergePatch(reader, schema, record, patch);
    if (!isMap(merged) || !isMap(patch)) throw invalid('/body', 'must be object');
    const isHeld = ([name, value]: [string, unknown]) =>
      isInput(name) || (Object.hasOwn(patch, name) && value !== Reflect.get(record, name));
    const input = Object.fromEntries(Object.entries(merged).filter(isHeld));
    bound(input, '/body');
    const judge = judges[faultsOf(input)];
    if (!judge(input)) {
      const errors = faultsFrom(judge.errors).filter(isTold);
      throw new ApiError('invalid-request', { errors: errors.map(toldPlainly) });
    }
    return { ...merged, ...input };
  };
}

function inputSchema(
  { operations }: Contract,
  operation: Operation,
): Referable<SchemaObject> | boolean {
  const bodyOf = (method: string, path: string) =>
    operations.find((each) => each.method === method && each.path === path)?.bodySchema;
  const above = operation.path.slice(0, operation.path.lastIndexOf('/'));
  const reply = responseOf(operation, 200)?.content?.['application/json']?.schema;
  return bodyOf('PUT', operation.path) ?? bodyOf('POST', above) ?? reply ?? true;
}

function toldPlainly({ path, message }: InputError): InputError {
  return { path, message: plainer(message) };
}
