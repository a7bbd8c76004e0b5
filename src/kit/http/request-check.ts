import type { IncomingMessage } from 'node:http';
import { ApiError, type ErrorCode } from '../errors.ts';
import { hostInTarget, timesSent } from './target.ts';

// uri-host [ ":" port ] of RFC 3986: a registered name, which may be empty, or an address in brackets.
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w:.]+\])(?::\d*)?$/;

/** What is wrong with the host that a request names; HTTP/1.0 need not name one. */
export function hostFault(request: IncomingMessage): string | undefined {
  const { httpVersion, headers, rawHeaders, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The request is not HTTP/1.1.';
  const named = hostInTarget(url);
  if (named !== undefined && !isHostOfTarget(named)) {
    return 'The host in the request target is malformed.';
  }
  const times = timesSent(rawHeaders, 'host');
  if (times === 0 && httpVersion === '1.0') return undefined;
  if (times !== 1) return 'A request names its host, once.';
  return HOST.test(headers.host ?? '') ? undefined : 'The Host header is malformed.';
}

// RFC 9110, 4.2: it is not empty, as that of the header may be.
function isHostOfTarget(host: string): boolean {
  return HOST.test(host) && host !== '' && !host.startsWith(':');
}

/** Whether the bytes after a request cannot be trusted, so that it is the last of its connection. */
export function isLast({ httpVersion, headers }: IncomingMessage): boolean {
  // RFC 9110, 7.8: the server may ignore an upgrade. The parser drops what follows it.
  const isUpgrade = headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
  // RFC 9112, 6.1: chunks in HTTP/1.0 are faulty framing.
  return isUpgrade || (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined);
}

/** Whether a client waits to be asked for its body; HTTP/1.0 knows no interim responses. */
export function expectsContinue({ httpVersion, headers: { expect } }: IncomingMessage): boolean {
  return expect !== undefined && httpVersion === '1.1' && /\b100-continue\b/i.test(expect);
}

export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  [REQUEST_TIMEOUT]: 'request-timeout',
};

/** What the parser refused, by its code, as the API's own error. */
export function parserError(parserCode: string | undefined): ApiError {
  const code = codes[String(parserCode)];
  return code
    ? new ApiError(code)
    : new ApiError('invalid-request', { detail: 'The request is not valid HTTP.' });
}
