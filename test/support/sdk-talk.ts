import { ApiError } from '../../src/kit/cli/sdk/typescript/runtime/errors.ts';
import type { Operation } from '../../src/kit/cli/sdk/typescript/runtime/request.ts';
import { Transport } from '../../src/kit/cli/sdk/typescript/runtime/transport.ts';

export type Sent = { readonly url: string; readonly init: RequestInit; readonly headers: Headers };
export type Answer = Response | Error | ((sent: Sent) => Promise<Response>);

/** A transport whose fetch gives these answers, one after the other, and the requests that it was given. */
export function talking(answers: Answer[], client: object = {}, identity: object = {}) {
  const sent: Sent[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const request = { url, init, headers: new Headers(init.headers) };
    sent.push(request);
    const answer = answers.shift();
    if (answer === undefined) throw new Error('nothing more was expected');
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(request) : answer;
  };
  const refusal = (...given: ConstructorParameters<typeof ApiError>) => new ApiError(...given);
  const transport = new Transport(
    { baseUrl: 'http://x', fetch: fetch as typeof globalThis.fetch, ...client },
    { userAgent: 'sky/1', digest: 'd', refusal, ...identity },
  );
  return { transport, sent };
}

export const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' }, ...init });
export const status = (code: number, headers: Record<string, string> = {}) =>
  new Response(null, { status: code, headers });

/** As the header of a server that is ready at once. */
export const soon = { 'retry-after': '0' };

export const get: Operation = {
  ...{ id: 'getIt', method: 'GET', path: '/it', accept: 'application/json' },
  replies: { 200: 'json' },
  refusals: [404, '5XX'],
};
