/** An answer with all that the contract says about it. */
export interface Reply<Data, ReplyHeaders = Record<never, never>> {
  readonly data: Data;
  readonly status: number;
  /** The headers that the contract declares. */
  readonly headers: ReplyHeaders;
  /** All headers, as they came. */
  readonly rawHeaders: Headers;
}

/** Either what was asked for or why not; `error.status` tells one refusal from another. */
export type Result<Data, Failure> =
  | { readonly ok: true; readonly data: Data; readonly error?: undefined }
  | { readonly ok: false; readonly error: Failure; readonly data?: undefined };

/** A request under way. `await` gives what it is answered with. */
export class Call<Data, ReplyHeaders, Failure> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #reply: Promise<Reply<Data, ReplyHeaders>>;
  readonly #isFailure: (error: unknown) => boolean;

  constructor(
    reply: Promise<Reply<Data, ReplyHeaders>>,
    isFailure: (error: unknown) => boolean = () => true,
  ) {
    this.#reply = reply;
    this.#isFailure = isFailure;
  }

  /** The answer with its status and headers, such as the `etag` of a record. */
  withResponse(): Promise<Reply<Data, ReplyHeaders>> {
    return this.#reply;
  }

  /** The answer or the refusal as a value, for those who would rather not catch. */
  async result(): Promise<Result<Data, Failure>> {
    try {
      return { ok: true, data: (await this.#reply).data };
    } catch (error) {
      if (!this.#isFailure(error)) throw error;
      // Whoever made the call knows what it is refused with, from the contract.
      return { ok: false, error: error as Failure };
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited like any promise
  then<A = Data, B = never>(
    onData?: ((data: Data) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#reply.then(({ data }) => data).then(onData, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Data | B> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Data> {
    return this.then().finally(onEnd);
  }
}
