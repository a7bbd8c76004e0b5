import type { Socket } from 'node:net';
import type { ErrorRequestHandler } from 'express';
import type { Contract } from '../contract/contract.ts';
import { withoutInherited } from '../contract/inherited-names.ts';
import type { Document } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import {
  JUDGED,
  judgedType,
  methodsDocument,
  operationsDocument,
} from '../contract/validator-document.ts';
import { present } from '../errors.ts';
import { fairTurn } from '../fair-turn.ts';
import type { Exchange } from '../http/exchange.ts';
import { IncomingMessage, ServerResponse } from '../http/node-http.ts';
import { createLru } from '../lru.ts';
import type { AnyInput } from './handler.ts';
import { createJudging, type Faults, type Judging } from './judging.ts';
import { isMergePatch } from './merge-patch.ts';
import { createParameters } from './parameters.ts';
import { type BodyForm, bodyForms, formOf, mediaTypeFor } from './request-body.ts';
import { createBound } from './request-bound.ts';
import { envelopesOf, NO_BODY, typeOf } from './request-envelope.ts';
import { asApiError } from './validator-error.ts';

/** Holds a request to the contract; resolves to its input, or rejects with the refusal. */
type Validate = (exchange: Exchange) => Promise<AnyInput>;

/** A request's values, as the body of a request that express-openapi-validator is asked about. */
type Asked = {
  readonly type: string;
  readonly input: AnyInput;
  /** The body before defaults are filled in, where it is to be without them. */
  readonly given?: { readonly body?: unknown };
  readonly judging: Judging;
};

/** An instance of express-openapi-validator: rejects with its refusal, and fills in defaults. */
type Judge = (
  method: string,
  asked: Pick<Asked, 'type' | 'input'> | undefined,
  socket: Socket,
) => Promise<void>;

/**
 * How many operations share an instance. Each compiles the schema of OpenAPI for itself, which takes 40 ms; what it
 * is given it copies and walks as a whole.
 */
const GROUP = 16;
/** The most groups and operations for which validators and readers are kept. */
const MOST_GROUPS = 25;
const MOST_OPERATIONS = 1000;

/**
 * The full path: Express with express-openapi-validator, an instance for some operations made on first use. Texts are
 * read here; it judges the values, as the JSON body of a request of its own. With the paths of the contract it would
 * compile the pattern of each for every request.
 */
export function createValidator(contract: Contract): Validate {
  const places = new Map(contract.operations.map((operation, i) => [operation, i]));
  const judgesOf = (faults: Faults) =>
    createLru(MOST_GROUPS, (first: number) => {
      const operations = contract.operations.slice(first, first + GROUP);
      return createJudge(contract, () => documentFor(contract, operations), faults);
    });
  const judges = { all: judgesOf('all'), first: judgesOf('first') };
  const methodJudges = createLru(MOST_GROUPS, (methods: string) =>
    createJudge(contract, () => methodsDocument(methods.split(' ')), 'all'),
  );
  const readers = createLru(MOST_OPERATIONS, (operation: Operation) =>
    createReader(contract, operation),
  );

  return async (exchange) => {
    const { operation, method, request } = exchange;
    const { route } = present(exchange.match);
    const refuse = (error: unknown): never => {
      throw asApiError(error, route, operation);
    };
    if (!operation) {
      const allowed = route.methods.join(' ');
      const judge = await methodJudges(allowed);
      await judge(method, undefined, request.socket).catch(refuse);
      throw new Error(`express-openapi-validator let ${method} pass`);
    }
    const { type, input, given, judging } = await readers(operation)(exchange);
    if (typeof judging !== 'string') {
      if (judging.length > 0) refuse({ status: 400, errors: judging });
      return { ...input, ...given };
    }
    const place = present(places.get(operation));
    const asked = { type: judgedType(type, place % GROUP), input };
    const judge = await judges[judging](place - (place % GROUP));
    const judged = () => judge(JUDGED.method, asked, request.socket);
    await (contract.namesInherited() ? withoutInherited(input, judged) : judged()).catch(refuse);
    return { ...input, ...given };
  };
}

function createReader(
  contract: Contract,
  operation: Operation,
): (exchange: Exchange) => Promise<Asked> {
  const { document } = contract;
  const { body } = operation;
  const read = createParameters(document, operation);
  const forms = body ? bodyForms(document, body) : [];
  const bounds = forms.map(({ kind, schema }) =>
    // A stream has no parts that are known.
    kind === 'binary' ? () => {} : createBound(contract, schema),
  );
  const envelopes = Object.entries(envelopesOf(contract, operation, forms));
  const judgingOf = new Map(
    envelopes.map(([type, envelope]) => [type, createJudging(contract, envelope)]),
  );
  /** The input as the validator is asked about it. */
  const asked = (type: string, input: AnyInput): Asked => {
    return { type, input, judging: present(judgingOf.get(type))(input) };
  };
  // The types of a range may all be of one kind.
  const isOneOfSeveral = forms.length > 1 || forms.some(({ mediaType }) => mediaType.includes('*'));
  return async (exchange) => {
    const values = read(exchange);
    const form = body && formOf(forms, body, exchange);
    if (!form) return asked(NO_BODY, { ...values, body: undefined });
    const i = forms.indexOf(form);
    const value = await form.read(exchange);
    if (value === undefined) return asked(NO_BODY, { ...values, body: undefined });
    const mediaType = isOneOfSeveral ? { mediaType: mediaTypeFor(form, exchange) } : {};
    present(bounds[i])(value, '/body');
    // A patch says what changes: a default would change what it does not name.
    const given = isMergePatch(form.mediaType) ? { body: structuredClone(value) } : {};
    return { ...asked(typeOf(i), { ...values, ...mediaType, body: value }), given };
  };
}

async function createJudge(
  { formats }: Contract,
  makeDocument: () => Document,
  faults: Faults,
): Promise<Judge> {
  // Loaded with the first request that is judged: a start would take a sixth more CPU.
  const { default: express } = await inTurn(() => import('express'));
  const { middleware } = await inTurn(() => import('express-openapi-validator'));
  const document = await inTurn(makeDocument);
  const app = await inTurn(express);
  app.use(
    middleware({
      // Its types want OpenAPI spelt out in full.
      apiSpec: document as never,
      // The contract was validated when it was read.
      validateApiSpec: false,
      validateRequests: { allErrors: faults === 'all' },
      validateSecurity: false,
      fileUploader: false,
      // Its types know fewer forms of them than Ajv.
      formats: formats as never,
    }),
  );
  app.use((_request, { locals }) => locals.resolve());
  app.use(refused);
  return (method, asked, socket) =>
    new Promise((resolve, reject) => {
      const request = Object.assign(new IncomingMessage(socket), {
        method,
        url: JUDGED.path,
        headers: asked ? { 'content-type': asked.type } : {},
        body: asked?.input,
      });
      const response = new ServerResponse(request);
      app(request, Object.assign(response, { locals: { resolve, reject } }));
    });
}

/** Each step has a turn of its own, because others wait meanwhile. */
async function inTurn<T>(step: () => T | Promise<T>): Promise<T> {
  await fairTurn();
  return step();
}

// Express knows an error handler by its four parameters.
const refused: ErrorRequestHandler = (error, _request, { locals }, _next) => locals.reject(error);

function documentFor(contract: Contract, operations: readonly Operation[]): Document {
  const judged = operations.map((operation) => {
    const forms: readonly BodyForm[] = operation.body
      ? bodyForms(contract.document, operation.body)
      : [];
    return contract.requestSchemas(envelopesOf(contract, operation, forms));
  });
  return operationsDocument(judged);
}
