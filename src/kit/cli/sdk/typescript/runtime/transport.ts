import { Call, type Reply } from './call.js';
import { carry, type Given, type Scheme } from './credentials.js';
import { ApiError, ConnectionError, TimeoutError } from './errors.js';
import type { ClientOptions, RequestOptions } from './options.js';
import {
  type Input,
  type Operation,
  type Prepared,
  prepare,
  type Reads,
  withQuery,
} from './request.js';
import { delayBefore, isUncertain, type Outcome, pause } from './retry.js';

/** What an SDK knows about itself and its contracts. */
export interface Identity {
  readonly userAgent: string;
  readonly digest: string;
  /** The security schemes of the contract, by name. */
  readonly schemes?: Readonly<Record<string, Scheme>>;
  refusal(operation: string, status: number, body: unknown, headers: Headers): ApiError;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: ArrayBuffer;
  readonly text: string;
}

const POSITION = 'accord-position';

/** Credentials by the names of the security schemes; a client adds them to its options where the contract has such. */
type AnyOptions = ClientOptions & { readonly credentials?: Given | undefined };

/** Sends requests, and sends them again where that is safe. */
export class Transport {
  readonly #client: AnyOptions;
  readonly #identity: Identity;
  #isWarned = false;
  /** The latest write: what is read shows it, whichever server answers. */
  #position: string | undefined;

  constructor(client: AnyOptions, identity: Identity) {
    this.#client = client;
    this.#identity = identity;
  }

  call<Data, ReplyHeaders, Failure>(
    operation: Operation,
    input: Input = {},
  ): Call<Data, ReplyHeaders, Failure> {
    const isFailure = (error: unknown) =>
      error instanceof ConnectionError ||
      (error instanceof ApiError && isDeclared(operation.refusals, error.status));
    // The contract says what the body and the headers of an answer are; the types were made from it.
    const reply = this.#reply(operation, input) as Promise<Reply<Data, ReplyHeaders>>;
    return new Call(reply, isFailure);
  }

  async #reply(operation: Operation, input: Input): Promise<Reply<unknown, unknown>> {
    const request = prepare(this.#client.baseUrl, operation, input);
    const { answer, mayHaveHappened } = await this.send(request, input.options ?? {});
    const { status } = answer;
    const reads = readsOf(operation, status);
    // A delete that was carried out unheard finds nothing when it is sent again.
    const isGone = operation.method === 'DELETE' && status === 404 && mayHaveHappened;
    if (reads === undefined && !isGone) {
      const { id } = operation;
      throw this.#identity.refusal(id, status, parsed(answer.text), answer.headers);
    }
    return {
      status,
      data: isGone || reads === 'nothing' ? undefined : read(operation.id, answer, reads),
      headers: replyHeaders(operation, answer.headers),
      rawHeaders: answer.headers,
    };
  }

  /** The answer of the last attempt, whatever its status. */
  async send(
    request: Prepared,
    options: RequestOptions,
    isRefusal: (answer: Answer) => boolean = () => false,
  ): Promise<{ readonly answer: Answer; readonly mayHaveHappened: boolean }> {
    const { retries = 3, maxDelay = 60_000 } = { ...this.#client, ...defined(options) };
    let mayHaveHappened = false;
    for (let attempt = 1; ; attempt++) {
      let answer: Answer | undefined;
      let failure: unknown;
      try {
        answer = await this.#attempt(request, options);
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        failure = error;
      }
      const outcome = outcomeOf(answer, isRefusal);
      const progress = { attempt, mayHaveHappened };
      const delay =
        attempt > retries
          ? undefined
          : delayBefore(request.repeatable, outcome, progress, maxDelay);
      if (delay === undefined) {
        if (!answer) throw failure;
        return { answer, mayHaveHappened };
      }
      mayHaveHappened ||= isUncertain(outcome);
      await pause(delay, options.signal);
    }
  }

  async #attempt(request: Prepared, options: RequestOptions): Promise<Answer> {
    const {
      token,
      credentials = {},
      fetch = globalThis.fetch,
      timeout = 30_000,
    } = {
      ...this.#client,
      ...defined({ timeout: options.timeout }),
    };
    const { signal } = options;
    signal?.throwIfAborted();
    const { schemes = {} } = this.#identity;
    const carried = await carry(schemes, request.security, credentials, token);
    const cookies = [request.headers.cookie ?? [], carried.cookies].flat();
    const { body } = request;
    const clock = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(withQuery(request.url, carried.query), {
        method: request.method,
        headers: {
          'user-agent': this.#identity.userAgent,
          ...(this.#position !== undefined && { [POSITION]: this.#position }),
          ...carried.headers,
          ...(body?.type !== undefined && { 'content-type': body.type }),
          ...request.headers,
          ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
          ...this.#client.headers,
          ...options.headers,
        },
        signal: signal ? AbortSignal.any([signal, clock]) : clock,
        ...(request.redirects && { redirect: 'manual' }),
        // Bytes may be in shared memory, says their type; fetch then refuses them itself.
        ...(body && { body: body.content as string }),
      });
      this.#compareDigest(response.headers.get('contract-digest'));
      this.#keepPosition(response.headers.get(POSITION));
      const bytes = await response.arrayBuffer();
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        get text() {
          return new TextDecoder().decode(bytes);
        },
      };
    } catch (error) {
      signal?.throwIfAborted();
      if (clock.aborted) throw new TimeoutError(request.operation, timeout);
      throw new ConnectionError(request.operation, error);
    }
  }

  /** Of two positions the greater text is the later. */
  #keepPosition(position: string | null): void {
    if (position !== null && position > (this.#position ?? '')) this.#position = position;
  }

  #compareDigest(digest: string | null): void {
    if (this.#isWarned || digest === null || digest === this.#identity.digest) return;
    this.#isWarned = true;
    const { onWarning = (text: string) => console.warn(text) } = this.#client;
    onWarning(
      `The server's contracts (${digest}) are not those that ${this.#identity.userAgent} was made from ` +
        `(${this.#identity.digest}): some answers may not be as their types say.`,
    );
  }
}

function replyHeaders(operation: Operation, headers: Headers): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [key, { name, type }] of Object.entries(operation.replyHeaders ?? {})) {
    const value = headers.get(name);
    if (value !== null) found[key] = type === 'number' ? Number(value) : value;
  }
  return found;
}

function readsOf({ replies }: Operation, status: number): Reads | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return replies[status] ?? replies[range] ?? (status < 400 ? replies.default : undefined);
}

function isDeclared(refusals: readonly (number | string)[], status: number): boolean {
  return [status, `${Math.floor(status / 100)}XX`, 'default'].some((each) =>
    refusals.includes(each),
  );
}

function read(operation: string, answer: Answer, declared: Reads | undefined): unknown {
  const type = answer.headers.get('content-type') ?? '';
  const as = declared === 'any' ? kindOf(type, answer.bytes) : declared;
  if (as === 'nothing') return undefined;
  if (as === 'text') return answer.text;
  if (as === 'binary') return new Blob([answer.bytes], { type });
  try {
    return JSON.parse(answer.text);
  } catch (error) {
    throw new ConnectionError(operation, error);
  }
}

function kindOf(type: string, { byteLength }: ArrayBuffer): Reads {
  if (byteLength === 0) return 'nothing';
  if (/^[^;]*[/+]json\b/i.test(type)) return 'json';
  return /^text\/|[/+]xml\b/i.test(type) ? 'text' : 'binary';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function outcomeOf(answer: Answer | undefined, isRefusal: (answer: Answer) => boolean): Outcome {
  if (!answer) return { kind: 'lost' };
  const retryAfter = answer.headers.get('retry-after');
  return { kind: 'answered', status: isRefusal(answer) ? 503 : answer.status, retryAfter };
}

/** What is given as undefined is not given. */
function defined<T extends object>(options: T): Partial<T> {
  // Leaving entries out of an object makes it a partial one of the same type.
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
