import { isDeepStrictEqual } from 'node:util';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Validate } from '../contract/counted-validate.ts';
import { pointer, valueAt } from '../contract/openapi-document.ts';
import { isMembers, type Members } from './record-shape.ts';

const MOST_ROUNDS = 6;

/**
 * A record as a schema admits it: members that it refuses or lacks are those of `base`, or left out. Undefined where
 * that does not help, or would change the id.
 */
export function fitted(
  record: Members,
  validate: Validate,
  base: Members,
  idName: string,
): Members | undefined {
  const value = structuredClone(record);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // Validation fills in defaults.
    if (validate(value)) return value;
    const errors = validate.errors ?? [];
    if (errors.map((error) => fillIn(value, base, error)).includes(true)) continue;
    const names = new Set(errors.flatMap(membersIn));
    const isChanged = [...names].map((name) => name !== idName && change(value, base, name));
    if (!isChanged.includes(true)) return undefined;
  }
  return undefined;
}

/** What a record or a part of it lacks, such as what only the server sets, is that of the same part of `base`. */
function fillIn(
  value: Members,
  base: Members,
  { instancePath, keyword, params }: ErrorObject,
): boolean {
  if (keyword !== 'required') return false;
  const part = valueAt(value, pointer(instancePath));
  const other = pointer(instancePath).reduce<unknown>(
    (at, name) => (Array.isArray(at) ? (at[Number(name)] ?? at[0]) : valueAt(Object(at), [name])),
    base,
  );
  const name = String(params.missingProperty);
  if (!isMembers(part) || !Object.hasOwn(Object(other), name)) return false;
  part[name] = structuredClone(Object(other)[name]);
  return true;
}

function membersIn({ instancePath, keyword, params }: ErrorObject): string[] {
  const [name] = pointer(instancePath);
  if (name !== undefined) return [name];
  const named = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return named === undefined || keyword === 'dependentRequired' ? [] : [String(named)];
}

function change(value: Members, base: Members, name: string): boolean {
  // RFC 7396: null removes a member.
  if (value[name] === null) return Reflect.deleteProperty(value, name);
  const isOther = Object.hasOwn(base, name) && !isDeepStrictEqual(base[name], value[name]);
  if (isOther) value[name] = structuredClone(base[name]);
  return isOther || (Object.hasOwn(value, name) && Reflect.deleteProperty(value, name));
}

/** What RFC 7396 makes of a value and a patch; null is kept where the schema may admit it. */
export function merged(value: unknown, patch: unknown): unknown {
  if (!isMembers(patch) || !isMembers(value)) return patch;
  const changes = Object.entries(patch).map(([name, each]) => [name, merged(value[name], each)]);
  return { ...value, ...Object.fromEntries(changes) };
}
