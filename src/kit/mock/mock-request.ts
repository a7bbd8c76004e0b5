import { isJsonType } from '../contract/media-type.ts';
import type { Exchange } from '../http/exchange.ts';
import { preferenceOf } from './preference.ts';
import type { MockRequest } from './stateful-answer.ts';

type Input = Pick<MockRequest, 'path' | 'query' | 'body'>;

/** What a mock reads of a request. */
export function mockRequest(exchange: Exchange, { path, query, body }: Input): MockRequest {
  const { headers } = exchange.request;
  const { accept, host, prefer, 'content-type': type = '' } = headers;
  const target = `http://${host}${exchange.path}?${exchange.query}`;
  return {
    accept,
    preference: preferenceOf(prefer),
    target: new URL(URL.canParse(target) ? target : 'http://localhost'),
    path,
    query,
    // Only JSON is kept.
    body: isJsonType(type) ? body : undefined,
  };
}
