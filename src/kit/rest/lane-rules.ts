import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Contract } from '../contract/contract.ts';
import { type Document, isObject } from '../contract/openapi-document.ts';
import type { Operation, Parameter } from '../contract/operation.ts';
import { parameterNames } from '../contract/routes.ts';
import { present } from '../errors.ts';
import { isPlainSchema } from './plain-schema.ts';

/** What the text of a parameter must be like. */
export type Rule = {
  readonly name: string;
  readonly required: boolean;
  readonly integer: boolean;
  readonly admits: ValidateFunction;
};

/** What the lane checks of a request. */
export type Rules = {
  /** In the order of the path's segments. */
  readonly path: readonly Rule[];
  readonly query: ReadonlyMap<string, Rule>;
  readonly requiredQuery: readonly string[];
  readonly headers: readonly Rule[];
  /** Validates a JSON body and fills in its defaults; undefined where the operation takes none. */
  readonly admitsBody: ValidateFunction | undefined;
};

/** The rules of an operation; undefined where the lane cannot judge exactly as the validator does. */
export function rulesOf({ document, schemas }: Contract, operation: Operation): Rules | undefined {
  const { parameters, takesBody, bodySchema } = operation;
  const isPlain =
    // OpenAPI 3.0 has another dialect of JSON Schema.
    document.openapi.startsWith('3.1.') &&
    parameters.every((each) => isPlainParameter(document, each)) &&
    // Of several media types the input says which.
    (operation.body?.content.size ?? 1) === 1 &&
    (!takesBody || (isObject(bodySchema) && isPlainSchema(document, bodySchema)));
  if (!isPlain) return undefined;
  const among = (place: string): Rule[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ object, name, required, integer }) => ({
        name: place === 'header' ? name.toLowerCase() : name,
        required,
        integer,
        admits: schemas(present(object.schema)),
      }));
  const inPath = new Map(among('path').map((rule) => [rule.name, rule]));
  const query = among('query');
  return {
    path: parameterNames(operation.path).map((name) => present(inPath.get(name))),
    query: new Map(query.map((rule) => [rule.name, rule])),
    requiredQuery: query.filter(({ required }) => required).map(({ name }) => name),
    headers: among('header'),
    admitsBody: bodySchema && schemas(bodySchema),
  };
}

// `style`, `content` and the like change how a value is read.
const plainMembers = new Set([
  ...['name', 'in', 'required', 'schema', 'allowEmptyValue'],
  ...['description', 'deprecated', 'example', 'examples'],
]);

function isPlainParameter(document: Document, { object, schema }: Parameter): boolean {
  if (!schema || object.in === 'cookie' || object.name in Object.prototype) return false;
  return (
    Object.keys(object).every((key) => plainMembers.has(key) || key.startsWith('x-')) &&
    (schema.type === 'string' || schema.type === 'integer') &&
    // The validator reads the text of an `allOf` as JSON, and fills in a default.
    !('allOf' in schema || 'default' in schema) &&
    isPlainSchema(document, object.schema)
  );
}

const DECIMAL = /^(0|-?[1-9][0-9]{0,15})$/;

/** Whether a text is an integer in canonical decimal digits that JavaScript knows exactly. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text) && Number.isSafeInteger(Number(text));
}
