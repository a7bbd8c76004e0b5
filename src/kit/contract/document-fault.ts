import type { ErrorObject } from 'ajv';
import type { Fault, Path } from './contract-source.ts';
import { nearest } from './edit-distance.ts';
import { methods, pointer } from './openapi-document.ts';

/** Of all the errors that a JSON Schema finds the cause, in words. */
export function faultOf(errors: readonly ErrorObject[], above: Path = []): Fault | undefined {
  // `if` only tells of another error. A part that fails makes its properties look unknown.
  const order = ({ keyword }: ErrorObject) =>
    keyword === 'if' ? 2 : keyword === 'unevaluatedProperties' ? 1 : 0;
  const [first] = errors.toSorted((a, b) => order(a) - order(b));
  return first && inWords(first, [...above, ...pointer(first.instancePath)]);
}

const MOST_NAMES = 16;

/** An unknown name, with the known one that was probably meant. */
export function unknownName(path: Path, what: string, known: readonly string[]): Fault {
  const name = String(path.at(-1));
  const meant = nearest(name, known);
  const hint = meant
    ? `; did you mean "${meant}"?`
    : known.length > 0 && known.length < MOST_NAMES
      ? `; expected one of ${known.join(', ')}`
      : '';
  return { path, at: 'key', message: `unknown ${what}${hint}` };
}

/** What was found, short enough for a line. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'nothing';
  return typeof value === 'object' ? 'an object' : JSON.stringify(value).slice(0, 60);
}

function inWords({ keyword, params, parentSchema, data, message }: ErrorObject, path: Path): Fault {
  const found = `found ${shown(data)}`;
  const fault = (rest: string): Fault => ({ path, at: 'value', message: `${found}, ${rest}` });
  switch (keyword) {
    case 'unevaluatedProperties':
    case 'additionalProperties': {
      const name = String(params.unevaluatedProperty ?? params.additionalProperty);
      const { properties = {}, patternProperties = {} } = parentSchema ?? {};
      const what = `property "${name}" in ${nounOf(path)}`;
      const forms = Object.keys(patternProperties).filter((form) => form !== '^x-');
      const unknown = unknownName([...path, name], what, Object.keys(properties));
      if (unknown.message.includes('did you mean') || forms.length === 0) return unknown;
      return { ...unknown, message: `unknown ${what}; expected a name like ${forms.join(' or ')}` };
    }
    case 'required': {
      const message = `found no "${params.missingProperty}" in ${nounOf(path)}, expected one`;
      return { path, at: 'key', message };
    }
    case 'type':
      return fault(`expected ${[params.type].flat().map(typeName).join(' or ')}`);
    case 'enum':
      return fault(`expected one of ${params.allowedValues.join(', ')}`);
    case 'const':
      return fault(`expected ${shown(params.allowedValue)}`);
    case 'pattern':
      return fault(`expected text that matches ${params.pattern}`);
    default:
      return fault(`which ${message}`);
  }
}

function typeName(type: string): string {
  if (type === 'array') return 'a list';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

const nouns: Readonly<Record<string, string>> = {
  parameters: 'a parameter',
  responses: 'a response',
  headers: 'a header',
  content: 'a media type',
  requestBodies: 'a request body',
  schemas: 'a schema',
  securitySchemes: 'a security scheme',
  tags: 'a tag',
  servers: 'a server',
};

function nounOf(path: Path): string {
  const [last, holder] = [String(path.at(-1)), String(path.at(-2))];
  if (path.length === 0) return 'the document';
  if (holder === 'paths') return 'a path';
  if (methods.some((method) => method === last) && path.at(-3) === 'paths') return 'an operation';
  return nouns[holder] ?? `"${last}"`;
}
