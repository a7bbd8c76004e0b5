import type { IncomingHttpHeaders } from 'node:http';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Contract } from '../contract/contract.ts';
import {
  type Document,
  isObject,
  type ParameterObject,
  resolve,
} from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { type Match, parameterNames } from '../contract/routes.ts';
import { present } from '../errors.ts';
import { isDecimal } from './decimal.ts';
import { isPlainSchema } from './plain-schema.ts';

/** What a plainly valid request asks for, but for its body. */
export type Admitted = {
  readonly match: Match;
  readonly operation: Operation;
  readonly input: {
    readonly path: Readonly<Record<string, unknown>>;
    readonly query: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, unknown>>;
  };
  /** Whether a JSON value is a valid body; it fills in defaults. Undefined where there is no body. */
  readonly admitsBody: ValidateFunction | undefined;
};

/** Admits what the full path would admit without mending anything; undefined for all else. */
export type Admit = (
  method: string,
  target: string,
  headers: IncomingHttpHeaders,
) => Admitted | undefined;

/** What the text of a parameter must be like. */
type Rule = {
  readonly name: string;
  readonly required: boolean;
  readonly integer: boolean;
  readonly admits: ValidateFunction;
};
type Rules = {
  readonly path: readonly Rule[];
  readonly query: ReadonlyMap<string, Rule>;
  readonly requiredQuery: readonly string[];
  readonly headers: readonly Rule[];
  readonly admitsBody: ValidateFunction | undefined;
};
type Values = Record<string, unknown>;

// A path and a query of these characters are their own encoding.
const PLAIN = /^[A-Za-z0-9/._~-]*(\?[A-Za-z0-9=&._~-]+)?$/;

/** Compiles the rules of every operation that the lane can judge as the validator does. */
export function createAdmit(contract: Contract): Admit {
  const all = new Map(contract.operations.map((each) => [each, rulesOf(contract, each)]));
  return (method, target, headers) => {
    if (!PLAIN.test(target)) return undefined;
    const mark = target.indexOf('?');
    const match = contract.routes(mark < 0 ? target : target.slice(0, mark));
    const operation = match?.route.operations.get(method);
    if (!match || operation?.method !== method) return undefined;
    const rules = all.get(operation);
    if (!rules) return undefined;
    const path = pathValues(rules.path, match.values);
    const query = queryValues(rules, mark < 0 ? '' : target.slice(mark + 1));
    const fields = headerValues(rules.headers, headers);
    if (!path || !query || !fields) return undefined;
    return {
      match,
      operation,
      input: { path, query, headers: fields },
      admitsBody: rules.admitsBody,
    };
  };
}

function rulesOf(contract: Contract, operation: Operation): Rules | undefined {
  const { document, schemas } = contract;
  const { parameters, takesBody, bodySchema: schema } = operation;
  // OpenAPI 3.0 has another dialect of JSON Schema.
  const isPlain =
    document.openapi.startsWith('3.1.') &&
    parameters.every((each) => isPlainParameter(document, each.object)) &&
    (!takesBody || (isObject(schema) && isPlainSchema(document, schema)));
  if (!isPlain) return undefined;
  const among = (place: string): Rule[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, integer, object }) => ({
        name: place === 'header' ? name.toLowerCase() : name,
        required,
        integer,
        admits: schemas(present(object.schema)),
      }));
  const inPath = new Map(among('path').map((rule) => [rule.name, rule]));
  const query = among('query');
  return {
    // In the order in which the path names them.
    path: parameterNames(operation.path).map((name) => present(inPath.get(name))),
    query: new Map(query.map((rule) => [rule.name, rule])),
    requiredQuery: query.filter(({ required }) => required).map(({ name }) => name),
    headers: among('header'),
    admitsBody: schema && schemas(schema),
  };
}

// A style, or a media type of its own, changes how a value is read.
const plainMembers = new Set([
  ...['name', 'in', 'required', 'schema', 'allowEmptyValue'],
  ...['description', 'deprecated', 'example', 'examples'],
]);

function isPlainParameter(document: Document, parameter: ParameterObject): boolean {
  const { name, in: place, schema } = parameter;
  if (!schema || place === 'cookie' || name in Object.prototype) return false;
  const { type, ...others } = resolve(document, schema);
  return (
    Object.keys(parameter).every((key) => plainMembers.has(key) || key.startsWith('x-')) &&
    (type === 'string' || type === 'integer') &&
    // The validator reads the text of an `allOf` as JSON, and fills in a default.
    !('allOf' in others || 'default' in others) &&
    isPlainSchema(document, schema)
  );
}

function pathValues(rules: readonly Rule[], texts: readonly string[]): Values | undefined {
  const values: Values = {};
  for (let i = 0; i < texts.length; i++) {
    if (!take(values, rules[i], texts[i])) return undefined;
  }
  return values;
}

function queryValues({ query, requiredQuery }: Rules, text: string): Values | undefined {
  const values: Values = {};
  for (const pair of text === '' ? [] : text.split('&')) {
    const mark = pair.indexOf('=');
    const value = mark < 0 ? '' : pair.slice(mark + 1);
    const rule = query.get(mark < 0 ? pair : pair.slice(0, mark));
    // The validator refuses a name that is given twice, and a value that is empty.
    if (!rule || value === '' || rule.name in values) return undefined;
    if (!take(values, rule, value)) return undefined;
  }
  return requiredQuery.every((name) => name in values) ? values : undefined;
}

function headerValues(rules: readonly Rule[], headers: IncomingHttpHeaders): Values | undefined {
  const values: Values = {};
  for (const rule of rules) {
    const text = headers[rule.name];
    if (text === undefined && !rule.required) continue;
    // Set-Cookie is a list.
    if (typeof text !== 'string' || !take(values, rule, text)) return undefined;
  }
  return values;
}

/** Adds the value of a text; whether the contract admits it. */
function take(values: Values, rule: Rule | undefined, text: string | undefined): boolean {
  if (!rule || text === undefined || (rule.integer && !isDecimal(text))) return false;
  const value = rule.integer ? Number(text) : text;
  values[rule.name] = value;
  return rule.admits(value);
}
