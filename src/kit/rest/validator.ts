import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:url';
import type { Request, Response } from 'express';
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { HttpError, type OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/index.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { Contract } from '../contract/contract.ts';
import { isObject } from '../contract/openapi-document.ts';
import { documentOfPath } from '../contract/path-document.ts';
import type { Match, Route } from '../contract/routes.ts';
import { formats } from '../contract/schemas.ts';
import { ApiError, invalid, present } from '../errors.ts';
import type { Refusals } from './refusals.ts';
import { asApiError } from './validator-error.ts';

/** As much of a request as the validator looks at. */
export type Validatable = {
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: object;
  readonly body?: unknown;
};

/** Holds a request to the contract; gives what it is refused with, if it is: to throw that would cost more. */
export type Validate = (match: Match, request: Validatable) => unknown;

/** What the validator has of a request after its own first step. */
type Located = Request & OpenApiRequest;
type ApiDoc = Spec['apiDoc'];
type Validator = (values: Match['values'], request: Validatable) => void;

/**
 * express-openapi-validator, one for each path, made when the path is first asked for. A single one
 * would go through all paths for every request and compile the pattern of each anew.
 */
export function createValidate(contract: Contract, refusals: Refusals): Validate {
  prepare(contract);
  const validators = new Map<string, Validator>();

  function validatorOf(route: Route): Validator {
    const known = validators.get(route.path);
    if (known) return known;
    const validator = createValidator(contract, route);
    validators.set(route.path, validator);
    return validator;
  }

  return ({ route, values }, request) => {
    const operation = route.operations.get(request.method);
    if (!operation) {
      const refused = new ApiError('method-not-allowed', { headers: { Allow: route.allow } });
      refusals.keep(route, request.method, refused);
      return refused;
    }
    // The validator reads the discriminator of whatever it is given, null too.
    if (operation.discriminator !== undefined && !isObject(request.body)) {
      return invalid('/body', 'must be object');
    }
    const validator = validatorOf(route);
    const { stackTraceLimit } = Error;
    // A refusal is an answer, and a trace of it would cost more than the answer. What fails here otherwise
    // is told without a trace too.
    Error.stackTraceLimit = 0;
    let refused: unknown;
    try {
      validator(values, request);
    } catch (error) {
      refused = error instanceof HttpError ? asApiError(error, operation) : error;
    }
    Error.stackTraceLimit = stackTraceLimit;
    return refused;
  };
}

// As many as were found to make a difference; more make none.
const OFTEN = 500;

/**
 * V8 compiles what has returned often. The validator's own steps mostly throw, because what they would let
 * through goes by the fast lane: so they are first made to let a request through, one that has nothing to it.
 */
function prepare(contract: Contract): void {
  warnOfUrlParser();
  const plain = contract.operations.find(
    ({ method, parameters, takesBody }) =>
      method === 'GET' && parameters.length === 0 && !takesBody,
  );
  const route = plain && contract.routes(plain.path)?.route;
  if (!route) return;
  const validator = createValidator(contract, route);
  const { path } = route;
  for (let i = 0; i < OFTEN; i++) {
    validator([], { method: 'GET', originalUrl: path, headers: {}, query: {} });
  }
}

/**
 * Has Node give its warning of `url.parse`, which the validator calls for each request, and to nobody:
 * until it has given it, it looks each time through the stack for who calls. It gives it once in a process.
 */
function warnOfUrlParser(): void {
  const { noDeprecation = false } = process;
  process.noDeprecation = true;
  parse('/');
  process.noDeprecation = noDeprecation;
}

/**
 * The step of the validator's middleware that validates; it throws what it refuses. The step before it would
 * compile the pattern of the path for each request to find the operation, which is known.
 */
function createValidator(contract: Contract, route: Route): Validator {
  // Its types want OpenAPI spelt out in full.
  const apiDoc = documentOfPath(contract, route) as unknown as ApiDoc;
  const { ajvOpts } = new OpenApiValidator({
    apiSpec: apiDoc,
    validateRequests: { allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    formats,
  });
  // Responses are not validated here; its types want options for that.
  const noResponses = null as never;
  new SchemaPreprocessor(apiDoc, ajvOpts.preprocessor, noResponses).preProcess();
  const validator = new RequestValidator(apiDoc, ajvOpts.request);
  const next = () => {};
  const known = operationsOf(apiDoc, route);
  // It looks at no response.
  const response = {} as Response;
  return (values, asked) => {
    // The validator puts there what is missing.
    const request = asked as Located;
    const named = route.names.map((name, i) => [name, present(values[i]).toWellFormed()]);
    const pathParams: Record<string, string> = Object.fromEntries(named);
    request.params = pathParams;
    request.openapi = { ...present(known.get(request.method)), pathParams };
    request.cookies = cookiesIn(request.headers.cookie);
    // Nothing in it waits, though its type says that it might.
    void validator.validate(request, response, next);
  };
}

/** The validator leaves it to others to read cookies, and checks none that were not read. */
function cookiesIn(header = ''): Record<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

/** What the validator's first step would find for each method. */
function operationsOf(apiDoc: ApiDoc, { path, methods }: Route) {
  const item: object = present(apiDoc.paths?.[path]);
  const located = methods.map((method) => {
    const schema = Reflect.get(item, method.toLowerCase());
    return [method, { expressRoute: path, openApiRoute: path, schema, serial: 1 }] as const;
  });
  return new Map(located);
}
