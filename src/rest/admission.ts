import type { IncomingHttpHeaders } from 'node:http';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Contract } from '../contract/contract.ts';
import { type Method, type OperationObject, resolve } from '../contract/document.ts';
import type { Operation } from '../contract/operation.ts';
import { type Match, parameterNames } from '../contract/routes.ts';
import { present } from '../errors.ts';
import { isDecimal } from './decimal.ts';

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
type Rule = { readonly name: string; readonly integer: boolean; readonly admits: ValidateFunction };
type Rules = {
  readonly path: readonly Rule[];
  readonly query: ReadonlyMap<string, Rule>;
  readonly headers: readonly Rule[];
  readonly admitsBody: ValidateFunction | undefined;
};
type Values = Record<string, unknown>;

// A path and a query of these characters are their own encoding.
const PLAIN = /^[A-Za-z0-9/._~-]*(\?[A-Za-z0-9=&._~-]+)?$/;

/** Compiles the rules of every operation once. */
export function createAdmit(contract: Contract): Admit {
  const all = new Map(contract.operations.map((each) => [each, rulesOf(contract, each)]));
  return (method, target, headers) => {
    if (!PLAIN.test(target)) return undefined;
    const mark = target.indexOf('?');
    const match = contract.routes(mark < 0 ? target : target.slice(0, mark));
    const operation = match?.route.operations.get(method);
    if (!match || !operation) return undefined;
    const rules = present(all.get(operation));
    const path = pathValues(rules.path, match.values);
    const query = mark < 0 ? {} : queryValues(rules.query, target.slice(mark + 1));
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

function rulesOf(contract: Contract, operation: Operation): Rules {
  const { document, schemas } = contract;
  const item = document.paths[operation.path];
  const object: OperationObject = present(item?.[operation.method.toLowerCase() as Method]);
  const parameters = [...(item?.parameters ?? []), ...(object.parameters ?? [])].map((each) =>
    resolve(document, each),
  );
  const among = (place: string): Rule[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema }) => ({
        name: place === 'header' ? name.toLowerCase() : name,
        integer: resolve(document, present(schema)).type === 'integer',
        admits: schemas(present(schema)),
      }));
  const inPath = new Map(among('path').map((rule) => [rule.name, rule]));
  const body = object.requestBody && resolve(document, object.requestBody);
  return {
    // In the order in which the path names them.
    path: parameterNames(operation.path).map((name) => present(inPath.get(name))),
    query: new Map(among('query').map((rule) => [rule.name, rule])),
    headers: among('header'),
    admitsBody: body && schemas(present(body.content['application/json']?.schema)),
  };
}

function pathValues(rules: readonly Rule[], texts: readonly string[]): Values | undefined {
  const values: Values = {};
  for (let i = 0; i < texts.length; i++) {
    if (!take(values, rules[i], texts[i])) return undefined;
  }
  return values;
}

function queryValues(rules: Rules['query'], query: string): Values | undefined {
  const values: Values = {};
  for (const pair of query.split('&')) {
    const mark = pair.indexOf('=');
    const rule = rules.get(mark < 0 ? pair : pair.slice(0, mark));
    // One that is given twice is refused.
    if (!rule || rule.name in values) return undefined;
    if (!take(values, rule, mark < 0 ? '' : pair.slice(mark + 1))) return undefined;
  }
  return values;
}

function headerValues(rules: readonly Rule[], headers: IncomingHttpHeaders): Values | undefined {
  const values: Values = {};
  for (const rule of rules) {
    const text = headers[rule.name];
    if (typeof text === 'string' && !take(values, rule, text)) return undefined;
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
