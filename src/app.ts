import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Access } from './access.ts';
import type { Contract } from './contract/contract.ts';
import { send } from './http/reply.ts';
import type { Log } from './operations/log.ts';
import { type AnyHandlers, restEndpoint } from './rest/endpoint.ts';
import { problemReply, toApiError } from './rest/problem.ts';

type Parts = {
  readonly contract: Contract;
  readonly handlers: AnyHandlers;
  readonly access: Access;
  readonly log: Log;
};

/** The full path: what the REST contract has, and the answer to everything else. */
export function createApp({ contract, handlers, access, log }: Parts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(restEndpoint(contract, handlers, access));
  app.use(answerProblem(log));
  return app;
}

// Express knows an error handler by its four parameters.
function answerProblem(log: Log): ErrorRequestHandler {
  return async (thrown, request, response, _next) => {
    const error = toApiError(thrown);
    if (error.code === 'internal-error' || error.code === 'unavailable') {
      log.failure(`${request.method} ${request.originalUrl}`, error.cause ?? error);
    }
    if (response.headersSent || response.destroyed) return;
    await send(response, problemReply(error), true);
  };
}
