import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Request } from 'express';
import { middleware } from 'express-openapi-validator';
import type { Contract } from '../contract/contract.ts';
import { type Document, isObject, type ParameterObject } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { documentOfPath } from '../contract/path-document.ts';
import type { Match, Route } from '../contract/routes.ts';
import { formats } from '../contract/schemas.ts';
import { invalid, present } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { AnyInput } from './handler.ts';
import { type Mended, mend, validatorType } from './mends.ts';
import { type BodyForm, bodyForms } from './request-body.ts';
import { asApiError, nameOf } from './validator-error.ts';

/** Holds a request to the contract; resolves to its input, or rejects with the refusal. */
type Validate = (exchange: Exchange) => Promise<AnyInput>;

/** express-openapi-validator for one path: gives the request as the validator has left it. */
type Instance = (mended: Mended, exchange: Exchange) => Promise<Request>;

/**
 * The full path: Express with express-openapi-validator, an instance per path made on first use. One instance
 * for all would compile the pattern of each path for every request.
 */
export function createValidator(contract: Contract): Validate {
  const instances = new Map<Route, Instance>();

  const forms = new Map<Operation, readonly BodyForm[]>();

  function formsOf(operation: Operation): readonly BodyForm[] {
    const { body } = operation;
    const made = forms.get(operation) ?? (body ? bodyForms(contract.document, body) : []);
    forms.set(operation, made);
    return made;
  }

  function instanceOf(route: Route): Instance {
    const known = instances.get(route);
    if (known) return known;
    const made = createInstance(contract, route, formsOf);
    instances.set(route, made);
    return made;
  }

  return async (exchange) => {
    const { operation } = exchange;
    const match = present(exchange.match);
    const mended = await mend(exchange, match, operation ? formsOf(operation) : []);
    // The validator reads the discriminator of any body, also of null.
    if (
      operation?.discriminator !== undefined &&
      mended.mediaType === 'application/json' &&
      !isObject(mended.body)
    ) {
      throw invalid('/body', 'must be object');
    }
    const request = await instanceOf(match.route)(mended, exchange).catch((error: unknown) => {
      throw asApiError(error, match, operation);
    });
    const input = inputOf(match, present(operation), request);
    const types = [...(operation?.body?.content.keys() ?? [])];
    const isOne = types.length === 1 && !types[0]?.includes('*');
    return isOne || !operation?.body ? input : { ...input, mediaType: mended.mediaType };
  };
}

type FormsOf = (operation: Operation) => readonly BodyForm[];

function createInstance(contract: Contract, route: Route, formsOf: FormsOf): Instance {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(
    middleware({
      // Its types want OpenAPI spelt out in full.
      apiSpec: documentFor(contract, route, formsOf) as never,
      // The contract was validated when it was read.
      validateApiSpec: false,
      validateRequests: { allErrors: true },
      validateSecurity: false,
      fileUploader: false,
      formats,
    }),
  );
  app.use((request, { locals }) => locals.resolve(request));
  app.use(refused);
  return ({ query, mediaType: _, ...mended }, { request: { socket }, match }) =>
    new Promise((resolve, reject) => {
      const values = present(match).values.map((text) => encodeURIComponent(text.toWellFormed()));
      const url = pathOf(values) + query;
      const request = Object.assign(new IncomingMessage(socket), mended, { url });
      const response = new ServerResponse(request);
      app(request, Object.assign(response, { locals: { resolve, reject } }));
    });
}

// Express knows an error handler by its four parameters.
const refused: ErrorRequestHandler = (error, _request, { locals }, _next) => locals.reject(error);

/**
 * The document of a route under a path that has its parameters alone, named `p0`, `p1` and so on: Express would
 * take dashes, dots and colons in the contract's own path and names for syntax.
 */
function documentFor(contract: Contract, route: Route, formsOf: FormsOf): Document {
  const document = documentOfPath(contract, route);
  const { [route.path]: own, ...others } = document.paths;
  const item = Object.entries(structuredClone(present(own))).map(([method, operation]) => {
    const parameters = [Object(operation).parameters ?? []].flat();
    const forms = formsOf(present(route.operations.get(method.toUpperCase())));
    const content = forms.map(({ schema }, i) => [
      validatorType(i),
      { schema: schema === true ? {} : structuredClone(schema) },
    ]);
    const { requestBody } = Object(operation);
    return [
      method,
      {
        ...Object(operation),
        parameters: parameters.map(renamed),
        ...(requestBody && {
          requestBody: { required: false, content: Object.fromEntries(content) },
        }),
      },
    ];
  });
  function renamed(parameter: ParameterObject): ParameterObject {
    if (parameter.in !== 'path') return parameter;
    return { ...parameter, name: nameOf(route.names.indexOf(parameter.name)) };
  }
  const template = pathOf(route.names.map((_, i) => `{${nameOf(i)}}`));
  // Other paths are there only where something refers to them.
  const isAlone = Object.keys(others).length === 0;
  return {
    ...document,
    paths: { ...(isAlone ? {} : document.paths), [template]: Object.fromEntries(item) },
  };
}

// No path of a contract begins with this segment.
function pathOf(parameters: readonly string[]): string {
  return ['/=', ...parameters].join('/');
}

function inputOf({ route }: Match, operation: Operation, request: Request): AnyInput {
  const headers = operation.parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => name.toLowerCase())
    .filter((name) => request.headers[name] !== undefined)
    .map((name) => [name, request.headers[name]]);
  // The validator's own record of the path parameters, converted; `params` keeps some of them as text.
  const { pathParams } = Object(Reflect.get(request, 'openapi'));
  return {
    path: Object.fromEntries(route.names.map((name, i) => [name, pathParams[nameOf(i)]])),
    query: request.query,
    headers: Object.fromEntries(headers),
    body: request.body,
  };
}
