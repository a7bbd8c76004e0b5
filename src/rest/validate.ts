import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { HttpError } from 'express-openapi-validator/dist/framework/types.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import type { Route } from '../contract/routes.ts';
import { formats } from '../contract/schemas.ts';
import { ApiError, type InputError, present } from '../errors.ts';

/** Holds a request to the contract; what it refuses is thrown. */
export type Validate = (route: Route, request: Request, response: Response) => Promise<void>;

/**
 * express-openapi-validator, one for each path, made when the path is first asked for. A single one
 * would go through all paths for every request and compile the pattern of each anew.
 */
export function createValidate(contract: Contract): Validate {
  const validators = new Map<string, RequestHandler>();
  return async (route, request, response) => {
    const validator = validators.get(route.path) ?? createValidator(contract, route);
    validators.set(route.path, validator);
    await new Promise<void>((resolve, reject) => {
      validator(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
    }).catch((error: unknown) => {
      throw refusal(error, route.operations.get(request.method));
    });
  };
}

function createValidator(contract: Contract, route: Route): RequestHandler {
  const spec = specOf(contract, route);
  const validator = new OpenApiValidator({
    apiSpec: spec.apiDoc,
    validateRequests: { allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    formats,
  });
  const router = express.Router();
  router.use(validator.installMiddleware(Promise.resolve(spec)));
  return router;
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

/** What the validator refused, as the API's own error. */
function refusal(error: unknown, operation: Operation | undefined): unknown {
  if (!(error instanceof HttpError)) return error;
  if (error.status === 405) {
    return new ApiError('method-not-allowed', { headers: { Allow: allowed(error) } });
  }
  if (error.status !== 400) return error;
  const errors = error.errors.map(inputError);
  const isMissed = operation?.parameters.some(
    ({ in: place, name, malformedStatus }) =>
      malformedStatus === 404 && errors.some(({ path }) => path === `/${place}/${name}`),
  );
  // Where the contract says so, a path with a malformed value is a path that is not there.
  return isMissed ? new ApiError('not-found') : new ApiError('invalid-request', { errors });
}

// HEAD is answered wherever GET is, though the contract does not list it.
function allowed(error: HttpError): string {
  const methods = present(error.headers?.Allow).split(', ').sort();
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

function inputError({ path, message }: HttpError['errors'][number]): InputError {
  // The validator gives no path to an unknown property whose name is empty; only bodies have such.
  const place = path === '' ? '/body/' : path.replace(/^\/params\//, '/path/');
  return { path: place, message: plainer(message) };
}

function plainer(message: string): string {
  if (message.startsWith('Unknown query parameter')) return 'is not a parameter of this operation';
  if (message.startsWith('Empty value found')) return 'must not be empty';
  if (message === 'must NOT have additional properties') return 'is not a known property';
  if (message.startsWith('must have required property')) return 'is required';
  if (message === 'must match format "text"') return 'must be well-formed Unicode text';
  if (message === 'must match pattern "^[^\\u0000]*$"') return 'must not contain U+0000';
  return message;
}
