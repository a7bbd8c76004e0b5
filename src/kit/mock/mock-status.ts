import type { Operation } from '../contract/operation.ts';
import { responseOf } from '../contract/response-check.ts';
import { ApiError, invalid } from '../errors.ts';

/** The status of a mocked answer: the one asked for, the lowest success, or what is declared first. */
export function mockStatus(operation: Operation, code: string | undefined): number {
  const { responses, method, path } = operation;
  if (code !== undefined) {
    const isDeclared = /^[2-5]\d\d$/.test(code) && responseOf(operation, Number(code));
    if (isDeclared) return Number(code);
    throw invalid('/headers/prefer', `asks for status ${code}, which is not declared`);
  }
  // Nothing is said of a body.
  if (responses.size === 0) return 204;
  // Those of 1xx are interim: another reply must follow.
  const declared = [...responses.keys()].map(statusIn).filter((status) => status >= 200);
  const successes = declared.filter((status) => status < 300);
  const status = successes.length > 0 ? Math.min(...successes) : declared[0];
  if (status !== undefined) return status;
  const detail = `The contract declares only interim responses for ${method} ${path}.`;
  throw new ApiError('internal-error', { detail });
}

/** `2XX` is 200, and so is `default`. */
function statusIn(declared: string): number {
  return declared === 'default' ? 200 : Number(declared.replaceAll(/x/gi, '0'));
}
