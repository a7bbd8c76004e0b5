import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Validate } from '../contract/counted-validate.ts';
import { isObject, pointer, valueAt } from '../contract/openapi-document.ts';
import { distinct } from './distinct-items.ts';
import { withMembers } from './more-members.ts';
import { admittedNear } from './near-values.ts';
import { numberWithin } from './number-within.ts';
import { ofOneAlone, type Parts } from './one-of.ts';

const MOST_ROUNDS = 30;
// Characters of JSON, so that a large value that cannot be repaired does not hold up others.
const MOST_VALIDATED = 2_000_000;
// A schema that demands itself has no finite value.
const MOST_LEVELS = 12;
// What may be null is null below so many levels.
const FULL_LEVELS = 2;
const LACKING = new Set(['required', 'minItems', 'minProperties']);
const MOST_ERRORS = 200;

/** Changes a value until a schema admits it; undefined where that does not succeed. */
export function repaired(value: unknown, validate: Validate, parts: Parts): unknown {
  const root = { value: structuredClone(value) };
  let validated = 0;
  for (let round = 0; round < MOST_ROUNDS && validated < MOST_VALIDATED; round++) {
    if (validate(root.value)) return root.value;
    validated += JSON.stringify(root).length;
    const errors = [...(validate.errors ?? [])].slice(0, MOST_ERRORS);
    // Where too many of a `oneOf` admit the value, what the others refuse is no fault.
    const [ambiguous] = errors.filter(({ params }) => params.passingSchemas);
    if (ambiguous && repair(root, ambiguous, parts)) continue;
    const isChanged = errors.map((error) => repair(root, error, parts)).some(Boolean);
    if (!isChanged) return undefined;
  }
  return undefined;
}

/** Whether something was changed. */
function repair(
  root: { value: unknown },
  { instancePath, keyword, params, parentSchema, propertyName }: ErrorObject,
  parts: Parts,
): boolean {
  const { sampleOf } = parts;
  const names = ['value', ...pointer(instancePath)];
  // Ajv tells a name that is not admitted once more, as a fault of its object.
  if (names.length > MOST_LEVELS || propertyName !== undefined) return false;
  const name = String(names.at(-1));
  const holder = Object(valueAt(root, names.slice(0, -1)));
  const found: unknown = holder[name];
  const schema = Object(parentSchema);
  const put = (value: unknown): boolean => {
    if (value === undefined || Object.is(value, found)) return false;
    // Constants are of the contract, and repairs go on within.
    holder[name] = structuredClone(value);
    return true;
  };
  const isDeep = names.length > FULL_LEVELS && [schema.type].flat().includes('null');
  const isUnfinished = found === undefined || LACKING.has(keyword);
  if (isDeep && isUnfinished) return put(null);
  switch (keyword) {
    case 'const':
      return put(params.allowedValue);
    case 'enum': {
      const choices: unknown[] = params.allowedValues;
      const admitted = choices.filter((each) => parts.admits(schema, each));
      // Items of a list may have to differ.
      return put(admitted[Array.isArray(holder) ? Number(name) % admitted.length : 0]);
    }
    case 'type':
      return put(ofType([params.type].flat()[0], schema, sampleOf));
    case 'required':
    case 'dependentRequired': {
      const member = sampleOf(schema.properties?.[params.missingProperty]);
      if (!isObject(found) || member === undefined) return false;
      found[params.missingProperty] = member;
      return true;
    }
    case 'additionalProperties':
      return isObject(found) && Reflect.deleteProperty(found, params.additionalProperty);
    case 'unevaluatedProperties':
      return isObject(found) && Reflect.deleteProperty(found, params.unevaluatedProperty);
    case 'false schema':
    case 'readOnly':
    case 'writeOnly':
      return Reflect.deleteProperty(holder, name);
    case 'pattern':
      return put(parts.textOf(schema));
    case 'format':
      return put(ofFormat[String(params.format)]);
    case 'minLength':
      return put(String(found).padEnd(params.limit, 'a'));
    case 'maxLength':
      return put([...String(found)].slice(0, params.limit).join(''));
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return put(numberWithin(schema));
    case 'multipleOf':
      // Two parts of a schema may each demand one: the next above suits both in the end.
      return put(numberWithin(schema, Number(found)));
    case 'minItems':
      return Array.isArray(found) && put(withItems(found, params.limit, schema, sampleOf));
    case 'contains':
      return (
        Array.isArray(found) &&
        put(withItems(found, params.minContains, { items: schema.contains }, sampleOf))
      );
    case 'maxItems':
      return Array.isArray(found) && put(found.slice(0, params.limit));
    case 'uniqueItems':
      return Array.isArray(found) && put(distinct(found, Number(schema.minItems ?? 0)));
    case 'maxProperties':
      return (
        isObject(found) && put(Object.fromEntries(Object.entries(found).slice(0, params.limit)))
      );
    case 'minProperties':
      return isObject(found) && put(withMembers(found, params.limit, schema, parts));
    case 'propertyNames': {
      const { [params.propertyName]: _, ...others } = Object(found);
      return put(withMembers(others, Object.keys(others).length + 1, schema, parts) ?? others);
    }
    case 'not':
      return put(admittedNear(found, schema, parts));
    case 'oneOf':
      // Where none admits it, what each of them refuses is repaired.
      if (!params.passingSchemas) return false;
      if (typeof found === 'number') return put(found + 0.5);
      return isObject(found) && put(ofOneAlone(found, schema.oneOf, params.passingSchemas, parts));
    default:
      return false;
  }
}

function withItems(
  items: readonly unknown[],
  count: number,
  { items: each = {} }: { readonly items?: unknown },
  sampleOf: Parts['sampleOf'],
): unknown[] | undefined {
  const added = Array.from({ length: count - items.length }, () => sampleOf(each));
  return added.includes(undefined) ? undefined : [...items, ...added];
}

function ofType(type: string, schema: object, sampleOf: (schema: unknown) => unknown): unknown {
  if (type === 'null') return null;
  const sampled = sampleOf({ ...schema, type });
  const plain = { string: 'string', integer: 0, number: 0, boolean: true, array: [], object: {} };
  const isOfType = sampled !== null && typeof sampled === type;
  return isOfType ? sampled : Reflect.get(plain, type);
}

const ofFormat: Readonly<Record<string, unknown>> = {
  date: '2026-01-01',
  time: '12:00:00Z',
  'date-time': '2026-01-01T12:00:00Z',
  duration: 'P1D',
  'iso-time': '12:00:00Z',
  'iso-date-time': '2026-01-01T12:00:00Z',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/path',
  'uri-template': '/path/{name}',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  regex: '^a$',
  'json-pointer': '/a',
  'json-pointer-uri-fragment': '#/a',
  'relative-json-pointer': '0',
  byte: 'YWJj',
};
