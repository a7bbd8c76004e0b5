import type { IncomingHttpHeaders } from 'node:http';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Contract } from '../contract/contract.ts';
import {
  type Method,
  type OperationObject,
  type Referable,
  resolve,
  type SchemaObject,
} from '../contract/document.ts';
import type { Operation } from '../contract/operation.ts';
import { present } from '../errors.ts';
import { isDecimal } from './decimal.ts';

/** What a plainly valid request asks for, but for its body. */
export type Admitted = {
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

type Value = { readonly integer: boolean; readonly admits: ValidateFunction };
type Rules = {
  readonly path: ReadonlyMap<string, Value>;
  readonly query: ReadonlyMap<string, Value>;
  readonly header: ReadonlyMap<string, Value>;
  readonly admitsBody: ValidateFunction | undefined;
};

// A path and a query of these characters are their own encoding.
const PLAIN = /^[A-Za-z0-9/._~-]*(\?[A-Za-z0-9=&._~-]+)?$/;

/** Compiles the rules of every operation once. */
export function createAdmit(contract: Contract): Admit {
  const rules = new Map(contract.operations.map((each) => [each, rulesOf(contract, each)]));
  return (method, target, headers) => {
    if (!PLAIN.test(target)) return undefined;
    const mark = target.indexOf('?');
    const match = contract.routes(mark < 0 ? target : target.slice(0, mark));
    const operation = match?.route.operations.get(method);
    if (!match || !operation) return undefined;
    const { path, query, header, admitsBody } = present(rules.get(operation));
    const asked =
      mark < 0
        ? []
        : target
            .slice(mark + 1)
            .split('&')
            .map(split);
    const given = [...header.keys()].flatMap((name) => {
      const text = headers[name];
      return typeof text === 'string' ? [[name, text] as const] : [];
    });
    const values = valuesOf(path, match.values);
    const search = valuesOf(query, asked);
    const fields = valuesOf(header, given);
    if (!values || !search || !fields) return undefined;
    return { operation, input: { path: values, query: search, headers: fields }, admitsBody };
  };
}

function rulesOf(contract: Contract, operation: Operation): Rules {
  const { document, schemas } = contract;
  const item = document.paths[operation.path];
  const object: OperationObject = present(item?.[operation.method.toLowerCase() as Method]);
  const parameters = [...(item?.parameters ?? []), ...(object.parameters ?? [])].map((each) =>
    resolve(document, each),
  );
  const among = (place: string) =>
    new Map(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [
          place === 'header' ? name.toLowerCase() : name,
          ruleOf(present(schema)),
        ]),
    );
  const ruleOf = (schema: Referable<SchemaObject>): Value => ({
    integer: resolve(document, schema).type === 'integer',
    admits: schemas(schema),
  });
  const body = object.requestBody && resolve(document, object.requestBody);
  return {
    path: among('path'),
    query: among('query'),
    header: among('header'),
    admitsBody: body && schemas(present(body.content['application/json']?.schema)),
  };
}

/** The values of named texts; undefined when one is unknown, given twice or not admitted. */
function valuesOf(
  known: ReadonlyMap<string, Value>,
  texts: Iterable<readonly [name: string, text: string]>,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  for (const [name, text] of texts) {
    const rule = known.get(name);
    if (!rule || name in values) return undefined;
    if (rule.integer && !isDecimal(text)) return undefined;
    const value = rule.integer ? Number(text) : text;
    if (!rule.admits(value)) return undefined;
    values[name] = value;
  }
  return values;
}

function split(pair: string): [name: string, text: string] {
  const mark = pair.indexOf('=');
  return mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
}
