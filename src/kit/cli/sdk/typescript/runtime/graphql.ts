import { Call, type Reply } from './call.js';
import { ConnectionError } from './errors.js';
import type { RequestOptions } from './options.js';
import type { Prepared } from './request.js';
import type { Answer, Transport } from './transport.js';

/**
 * The text of an operation, with the types of its variables and of what it selects. What
 * graphql-codegen makes of documents of your own (`documentMode: 'string'`) is one too.
 */
export class TypedDocument<Result, Variables> extends String {
  // Only a type stands here: it carries those of the result and of the variables.
  declare readonly __apiType?: (variables: Variables) => Result;
}

export interface AnyDocument<Result, Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => Result;
}

/** One thing that went wrong with an operation. */
export interface GraphqlFault<Code extends string = string> {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions: { readonly code: Code };
}

/** An operation was refused, or parts of it failed. */
export class GraphqlRequestError<Code extends string = string> extends Error {
  override readonly name: string = 'GraphqlRequestError';
  readonly operation: string;
  readonly status: number;
  readonly errors: readonly GraphqlFault<Code>[];
  /** What was found all the same. */
  readonly data: unknown;

  constructor(operation: string, status: number, errors: GraphqlFault<Code>[], data: unknown) {
    super(`${operation}: ${errors.map(({ message }) => message).join(', ')}`);
    this.operation = operation;
    this.status = status;
    this.errors = errors;
    this.data = data;
  }

  /** The code of the first error, such as `NOT_FOUND`. */
  get code(): Code | undefined {
    return this.errors[0]?.extensions?.code;
  }
}

/** No fields to give means no variables to pass. */
export type VariablesOf<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];

export type GraphqlCall<Result, Code extends string> = Call<
  Result,
  Record<never, never>,
  GraphqlRequestError<Code> | ConnectionError
>;

/** Sends operations to the GraphQL endpoint. */
export class GraphqlEndpoint<Code extends string> {
  readonly #transport: Transport;
  readonly #url: string;

  constructor(transport: Transport, url: string) {
    this.#transport = transport;
    this.#url = url;
  }

  /** Executes a document; its selection decides what the result is like. */
  execute<Result = unknown, Variables = Readonly<Record<string, unknown>>>(
    document: AnyDocument<Result, Variables>,
    ...[variables, options = {}]: VariablesOf<Variables>
  ): GraphqlCall<Result, Code> {
    const reply = this.#send<Result>(document.toString(), variables, options);
    const isFailure = (error: unknown) =>
      error instanceof GraphqlRequestError || error instanceof ConnectionError;
    return new Call(reply, isFailure);
  }

  async #send<Result>(
    query: string,
    variables: unknown,
    options: RequestOptions,
  ): Promise<Reply<Result>> {
    const operation = query.match(/\b(?:query|mutation)\s+(\w+)/)?.[1] ?? 'the operation';
    // A mutation has no key: sent twice it might be carried out twice. The word is looked for in the
    // whole text, so that a document that merely speaks of mutations is not repeated either.
    const repeatable = /\b(mutation|subscription)\b/.test(query) ? 'once' : 'any';
    const request: Prepared = {
      operation,
      url: this.#url,
      method: 'POST',
      headers: { accept: 'application/graphql-response+json, application/json' },
      body: {
        type: 'application/json',
        content: JSON.stringify({ query, ...(variables !== undefined && { variables }) }),
      },
      security: [],
      redirects: false,
      repeatable,
    };
    const { answer } = await this.#transport.send(request, options, isUnavailable);
    const result = resultOf(answer);
    if (!result) {
      throw new ConnectionError(operation, `${answer.status} without a GraphQL result`);
    }
    const { data, errors } = result;
    if (errors) throw new GraphqlRequestError(operation, answer.status, errors as never, data);
    // The document's type says what it selects, and the server holds its answers to the schema.
    return {
      data: data as Result,
      status: answer.status,
      headers: {},
      rawHeaders: answer.headers,
    };
  }
}

type GraphqlResult = { readonly data?: unknown; readonly errors?: readonly GraphqlFault[] };

function resultOf({ text }: Answer): GraphqlResult | undefined {
  try {
    const result: unknown = JSON.parse(text);
    const { data, errors } = Object(result);
    return data !== undefined || Array.isArray(errors) ? Object(result) : undefined;
  } catch {
    return undefined;
  }
}

function isUnavailable(answer: Answer): boolean {
  if (!answer.text.includes('UNAVAILABLE')) return false;
  return resultOf(answer)?.errors?.some((each) => each.extensions?.code === 'UNAVAILABLE') ?? false;
}
