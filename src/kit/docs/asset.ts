import { basename, dirname } from 'node:path';
import type { Response } from 'express';
import { ApiError } from '../errors.ts';

/** Sends a file of this server's own, whole or in part, as the conditions of the request have it. */
export function sendAsset(response: Response, file: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { req: request } = response;
  // RFC 9110, 14.2: Range is defined for GET alone.
  if (request.method === 'HEAD') delete request.headers.range;
  // Below a root of their own, the file's name alone is searched for leading dots.
  response.sendFile(basename(file), { root: dirname(file) }, (failure?: SendFailure) => {
    if (!failure || isGone(failure)) return resolve();
    // With its head out, only a broken connection tells that the file is not whole.
    if (response.headersSent) response.destroy();
    // These are of the file, not of the problem that is sent instead.
    for (const name of response.headersSent ? [] : response.getHeaderNames()) {
      response.removeHeader(name);
    }
    reject(refusal(failure) ?? failure);
  });
  return promise;
}

/** What Express and its `send` give for a file that was not sent. */
type SendFailure = Error & {
  readonly status?: number;
  readonly code?: string;
  readonly syscall?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

function isGone({ code, syscall }: SendFailure): boolean {
  return code === 'ECONNABORTED' || syscall === 'write';
}

/** The client's own mistakes; any other failure is the server's. */
function refusal({ status, headers = {} }: SendFailure): ApiError | undefined {
  if (status === 412) {
    const detail = 'The file is not the version that the request names.';
    return new ApiError('precondition-failed', { detail });
  }
  if (status === 416) {
    const detail = 'The file has nothing in this range.';
    return new ApiError('invalid-request', { status, detail, headers });
  }
  return undefined;
}
