import type { ApiCall, Payload } from './api-call.ts';
import type { Group } from './groups.ts';

/** Whether the size of a page can be said. */
export const hasLimit = ({ options }: ApiCall) =>
  options.some(({ name, in: place }) => name === 'limit' && place === 'query');

/** The operation that writes back what another has read. */
export function writeOf(group: Group, { writtenBackBy }: ApiCall): ApiCall | undefined {
  return group.calls.find(({ operationId, body }) => operationId === writtenBackBy && body);
}

/** Whether redirections are answers of their own, which are not followed. */
export const hasRedirects = ({ replies }: ApiCall) =>
  replies.some(({ status }) => /^3/.test(String(status)) && status !== 304);

export const isConditional = ({ replies, options }: ApiCall) =>
  replies.some(({ status }) => status === 304) &&
  options.some(({ key, required }) => key === 'ifNoneMatch' && !required);

/** What the SDK can read, the media types of success first. */
export function acceptOf({ replies, refusals }: ApiCall): string {
  const types = replies.flatMap(({ payload }) => payload?.mediaType ?? []);
  const refused = refusals.flatMap(({ mediaType }) => mediaType ?? []);
  const all = [...types, ...(refused.length > 0 ? refused : ['application/json'])];
  return [...new Set(all)].join(', ');
}

/** How the runtime reads a body. */
export function readsOf(
  payload: Payload | undefined,
): 'nothing' | 'json' | 'text' | 'binary' | 'any' {
  if (!payload) return 'nothing';
  const { kind } = payload;
  return kind === 'form' ? 'text' : kind === 'multipart' ? 'binary' : kind;
}
