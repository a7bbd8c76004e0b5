import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { JUDGED_PATH, pathDocument } from '../contract/path-document.ts';
import type { Route } from '../contract/routes.ts';
import { formats } from '../contract/schemas.ts';
import { present } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { createLru } from '../lru.ts';
import type { AnyInput } from './handler.ts';
import { createParameters } from './parameters.ts';
import { type BodyForm, bodyForms, formOf } from './request-body.ts';
import { bounded } from './request-bound.ts';
import { envelopesOf, NO_BODY, typeOf } from './request-envelope.ts';
import { asApiError } from './validator-error.ts';

/** Holds a request to the contract; resolves to its input, or rejects with the refusal. */
type Validate = (exchange: Exchange) => Promise<AnyInput>;

/** A request's values, as the body of a request that express-openapi-validator is asked about. */
type Asked = { readonly type: string; readonly input: AnyInput };

/** express-openapi-validator for one path: rejects with its refusal, and fills in defaults. */
type Judge = (method: string, asked: Asked | undefined, socket: Socket) => Promise<void>;

/** The most paths and operations for which validators and readers are kept. */
const MOST_PATHS = 100;
const MOST_OPERATIONS = 1000;

/**
 * The full path: Express with express-openapi-validator, an instance per path made on first use. Texts are read
 * here; it judges the values, as the JSON body of a request of its own. One instance for all paths would compile
 * the pattern of each for every request.
 */
export function createValidator(contract: Contract): Validate {
  const judges = createLru(MOST_PATHS, (route: Route) => createJudge(contract, route));
  const readers = createLru(MOST_OPERATIONS, (operation: Operation) =>
    createReader(contract, operation),
  );
  return async (exchange) => {
    const { operation, method, request } = exchange;
    const { route } = present(exchange.match);
    const asked = operation && (await readers(operation)(exchange));
    await judges(route)(operation?.method ?? method, asked, request.socket).catch((error) => {
      throw asApiError(error, route, operation);
    });
    return present(asked).input;
  };
}

function createReader(
  { document }: Contract,
  operation: Operation,
): (exchange: Exchange) => Promise<Asked> {
  const { body } = operation;
  const read = createParameters(document, operation);
  const forms = body ? bodyForms(document, body) : [];
  return async (exchange) => {
    const values = read(exchange);
    const form = body && formOf(forms, body, exchange);
    if (!form) return { type: NO_BODY, input: { ...values, body: undefined } };
    const value = bounded(await form.read(exchange), document, form.schema);
    return { type: typeOf(forms.indexOf(form)), input: { ...values, body: value } };
  };
}

function createJudge(contract: Contract, route: Route): Judge {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(
    middleware({
      // Its types want OpenAPI spelt out in full.
      apiSpec: documentFor(contract, route) as never,
      // The contract was validated when it was read.
      validateApiSpec: false,
      validateRequests: { allErrors: true },
      validateSecurity: false,
      fileUploader: false,
      formats,
      // Its default knows a date by its digits alone.
      ajvFormats: { mode: 'full' },
    }),
  );
  app.use((_request, { locals }) => locals.resolve());
  app.use(refused);
  return (method, asked, socket) =>
    new Promise((resolve, reject) => {
      const request = Object.assign(new IncomingMessage(socket), {
        method,
        url: JUDGED_PATH,
        headers: asked ? { 'content-type': asked.type } : {},
        body: asked?.input,
      });
      const response = new ServerResponse(request);
      app(request, Object.assign(response, { locals: { resolve, reject } }));
    });
}

// Express knows an error handler by its four parameters.
const refused: ErrorRequestHandler = (error, _request, { locals }, _next) => locals.reject(error);

function documentFor(contract: Contract, { methods, operations }: Route) {
  const declared = methods.flatMap((method) => operations.get(method) ?? []);
  const envelopes = declared.map((operation) => {
    const forms: readonly BodyForm[] = operation.body
      ? bodyForms(contract.document, operation.body)
      : [];
    return { method: operation.method.toLowerCase(), ...envelopesOf(contract, operation, forms) };
  });
  const components = Object.assign({}, ...envelopes.map((each) => each.components));
  return pathDocument(envelopes, components);
}
