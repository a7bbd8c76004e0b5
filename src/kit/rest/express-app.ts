import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Contract } from '../contract/contract.ts';
import { rootEndpoint } from '../docs/root.ts';
import { ApiError } from '../errors.ts';
import type { Access } from '../http/authentication.ts';
import { type AnyHandlers, restEndpoint } from './full-path.ts';
import type { AnswerProblem } from './problem.ts';
import type { Validate } from './validator.ts';

type Parts = {
  readonly contract: Contract;
  readonly handlers: AnyHandlers;
  readonly access: Access<string>;
  readonly answerProblem: AnswerProblem;
  readonly validate: Validate;
  /** The pages for people; none where the contracts are private. */
  readonly docs?: RequestHandler | undefined;
};

/** The full path: what the REST contract has, and the answer to everything else. */
export function createApp(parts: Parts): Express {
  const { contract, handlers, access, answerProblem, validate, docs } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(restEndpoint(contract, handlers, access, validate));
  if (docs) app.use(docs);
  app.use(rootEndpoint(contract, docs !== undefined));
  app.use(() => {
    throw new ApiError('not-found');
  });
  app.use(problemHandler(answerProblem));
  return app;
}

// Express knows an error handler by its four parameters.
function problemHandler(answerProblem: AnswerProblem): ErrorRequestHandler {
  return (thrown, request, response, _next) => answerProblem(thrown, request, response);
}
