import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Contract } from './contract/contract.ts';
import type { Log } from './operations/log.ts';
import { type AnyHandlers, restEndpoint } from './rest/endpoint.ts';
import { problemReply, toApiError } from './rest/problem.ts';
import { send } from './rest/send.ts';

/** Everything the server answers, over Express. */
export function createApp(contract: Contract, handlers: AnyHandlers, log: Log): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(restEndpoint(contract, handlers));
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
    await send(response, problemReply(error), undefined, true);
  };
}
