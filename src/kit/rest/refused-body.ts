import type { IncomingMessage } from 'node:http';
import { parseJson } from '../http/body.ts';
import type { Admitted } from './admission.ts';
import { boundedBody } from './mends.ts';
import type { Validate } from './validator.ts';

/**
 * What the validator refuses a request with that is plainly valid but for its body; undefined when that is
 * not for certain. The validator is asked without what the full path has around it.
 */
export function refusedBody(
  validate: Validate,
  { match, operation }: Admitted,
  request: IncomingMessage,
  bytes: Buffer,
): unknown {
  const { method = '', url = '', headers } = request;
  if (url.includes('?')) return undefined;
  try {
    // Parsed anew: whoever did not admit it may have filled in defaults.
    const body = boundedBody(parseJson(bytes), operation);
    return validate(match, { method, originalUrl: url, headers, query: {}, body });
  } catch (error) {
    return error;
  }
}
