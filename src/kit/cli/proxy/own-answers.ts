import type { ServerResponse } from 'node:http';
import { ApiError } from '../../errors.ts';
import { type Problem, problemOf } from '../../rest/problem.ts';
import { PROBLEM_TYPE } from '../../rest/problem-type.ts';
import type { Breach } from './breaches.ts';
import type { Failure } from './forward.ts';

/** Sends an answer of the proxy itself, which says so. */
export function tell(response: ServerResponse, problem: Problem): void {
  const body = Buffer.from(JSON.stringify(problem));
  response.writeHead(problem.status, {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': body.length,
    'Accord-Proxy': 'true',
  });
  response.end(body);
}

const invalidAnswer = {
  type: 'urn:accord:problem:invalid-answer',
  title: 'Invalid answer',
  status: 502,
  detail: 'The answer of the server does not satisfy the contract.',
};

export const noTunnel: Problem = {
  type: 'urn:accord:problem:not-implemented',
  title: 'Not implemented',
  status: 501,
  detail: 'The proxy makes no tunnels.',
};

/** Says what breaks a contract. */
export function refusal(breaches: readonly Breach[]): Problem {
  const errors = breaches.map(({ place, message }) => ({ path: place, message }));
  const problem = problemOf(new ApiError('invalid-request', { errors }));
  return breaches[0]?.side === 'request' ? problem : { ...problem, ...invalidAnswer };
}

/** Says why there is no whole answer. */
export function failed({ status, message }: Failure): Problem {
  const isSlow = status === 504;
  return {
    type: `urn:accord:problem:${isSlow ? 'gateway-timeout' : 'bad-gateway'}`,
    title: isSlow ? 'Gateway timeout' : 'Bad gateway',
    status,
    detail: `The server ${message}.`,
  };
}
