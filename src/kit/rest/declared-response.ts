import type { ResponseObject } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';

/** What an operation declares for a status: by the status itself, by its range, or by default. */
export function declaredResponse(
  { responses }: Operation,
  status: number,
): ResponseObject | undefined {
  return (
    responses.get(String(status)) ??
    responses.get(`${String(status)[0]}XX`) ??
    responses.get('default')
  );
}
