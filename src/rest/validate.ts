import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:url';
import type { Request, Response } from 'express';
import { OpenApiContext } from 'express-openapi-validator/dist/framework/openapi.context.js';
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { HttpError, type OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import {
  applyOpenApiMetadata,
  RequestValidator,
} from 'express-openapi-validator/dist/middlewares/index.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { Contract } from '../contract/contract.ts';
import type { Match, Route } from '../contract/routes.ts';
import { formats } from '../contract/schemas.ts';
import { ApiError, present } from '../errors.ts';
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
    const validator = validatorOf(route);
    const { stackTraceLimit } = Error;
    // A refusal is an answer, and a trace of it would cost more than the answer. What fails here otherwise
    // is told without a trace too.
    Error.stackTraceLimit = 0;
    let refused: unknown;
    try {
      validator(values, request);
    } catch (error) {
      const operation = route.operations.get(request.method);
      refused = error instanceof HttpError ? asApiError(error, operation) : error;
    }
    Error.stackTraceLimit = stackTraceLimit;
    if (refused instanceof ApiError && refused.code === 'method-not-allowed') {
      refusals.keep(route, request.method, refused);
    }
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
 * The two steps of the validator's middleware that a request needs: it finds the operation, and validates.
 * They throw what they refuse. As a list of middleware the validator would wait for its contract, which is
 * there, before each of its steps. An operation that is there is found already; to find it again, the first
 * step would compile the pattern of the path for each request.
 */
function createValidator(contract: Contract, route: Route): Validator {
  const spec = specOf(contract, route);
  const { ajvOpts } = new OpenApiValidator({
    apiSpec: spec.apiDoc,
    validateRequests: { allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    formats,
  });
  // Responses are not validated here; its types want options for that.
  const noResponses = null as never;
  new SchemaPreprocessor(spec.apiDoc, ajvOpts.preprocessor, noResponses).preProcess();
  const locate = applyOpenApiMetadata(new OpenApiContext(spec, () => false), noResponses);
  const validator = new RequestValidator(spec.apiDoc, ajvOpts.request);
  const next = () => {};
  const known = operationsOf(spec);
  // It looks at no response.
  const response = {} as Response;
  return (values, asked) => {
    // The validator puts there what is missing.
    const request = asked as Located;
    const operation = known.get(request.method);
    if (operation) {
      const named = route.names.map((name, i) => [name, present(values[i]).toWellFormed()]);
      const pathParams: Record<string, string> = Object.fromEntries(named);
      request.params = pathParams;
      request.openapi = { ...operation, pathParams };
    } else {
      locate(request, response, next);
    }
    // Nothing in it waits, though its type says that it might.
    void validator.validate(request, response, next);
  };
}

/** What the validator's first step would find for each method. */
function operationsOf({ apiDoc, routes, serial }: Spec) {
  return new Map(
    routes.map(({ method, expressRoute, openApiRoute }) => {
      const item: object = present(apiDoc.paths?.[openApiRoute]);
      const schema = Reflect.get(item, method.toLowerCase());
      return [method, { expressRoute, openApiRoute, schema, serial }];
    }),
  );
}

/**
 * What the validator's own loader would make of one path of the contract. The loader compiles the
 * schema of OpenAPI itself each time, 60 ms of CPU, to validate a contract that was validated before.
 */
function specOf({ document }: Contract, { path, operations }: Route): Spec {
  const { schemas = {}, parameters = {}, requestBodies = {} } = document.components ?? {};
  const routes = [...operations.values()].map(({ method, parameters }) => ({
    basePath: '',
    expressRoute: path.replaceAll(/\{([^}]*)\}/g, ':$1'),
    openApiRoute: path,
    method,
    pathParams: parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name),
  }));
  const apiDoc = {
    ...document,
    paths: { [path]: document.paths[path] },
    components: { schemas, parameters, requestBodies },
  };
  // The validator changes the document it is given. Its types want OpenAPI spelt out in full.
  return {
    apiDoc: structuredClone(apiDoc) as unknown as Spec['apiDoc'],
    basePaths: [''],
    routes,
    serial: 1,
  };
}
