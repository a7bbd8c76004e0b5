import type { Document } from '../contract/openapi-document.ts';
import type { RequestBody } from '../contract/operation.ts';
import { readJson } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';

/** One media type in which a body may be sent. */
export type BodyForm = {
  /** As the contract writes it. */
  readonly mediaType: string;
  /** What the value must satisfy. */
  readonly schema: unknown;
  readonly read: (exchange: Exchange) => Promise<unknown>;
};

export function bodyForms(_document: Document, { content }: RequestBody): readonly BodyForm[] {
  return [...content].map(([mediaType, { schema }]) => ({
    mediaType,
    schema: schema ?? true,
    read: (exchange) => readJson(exchange),
  }));
}

/** The form of a request's body; undefined where there is none, and none is required. */
export function formOf(
  forms: readonly BodyForm[],
  body: RequestBody,
  { request: { headers } }: Exchange,
): BodyForm | undefined {
  const isSent = headers['transfer-encoding'] || Number(headers['content-length']) > 0;
  return isSent || body.required ? forms[0] : undefined;
}
