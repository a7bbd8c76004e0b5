/** The server answered, and not with what was asked for. */
export class ApiError<Body = unknown> extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** What the answer says about the failure; undefined when it was not JSON, as from a proxy. */
  readonly problem: Body | undefined;
  readonly headers: Headers;
  readonly operation: string;

  constructor(operation: string, status: number, problem: Body | undefined, headers: Headers) {
    super(`${operation} was answered with ${status}${told(problem)}`);
    this.operation = operation;
    this.status = status;
    this.problem = problem;
    this.headers = headers;
  }

  /** What the server calls the request in its log, where it says so. */
  get requestId(): string | undefined {
    return this.headers.get('x-request-id') ?? undefined;
  }

  /** After how many seconds the server wants to be asked again, where it says so. */
  get retryAfter(): number | undefined {
    return secondsOf(this.headers.get('retry-after'));
  }
}

/** There was no answer, or not all of it: whether a write was carried out is not known. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
  /** There was no answer, so there is no status: this tells it from a refusal. */
  readonly status = undefined;
  readonly operation: string;

  constructor(operation: string, cause: unknown) {
    super(`${operation} got no answer: ${reason(cause)}`, { cause });
    this.operation = operation;
  }
}

/** There was no answer in time: whether a write was carried out is not known. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
  readonly milliseconds: number;

  constructor(operation: string, milliseconds: number) {
    super(operation, `none within ${milliseconds} ms`);
    this.milliseconds = milliseconds;
  }
}

/** What a `Retry-After` comes to in seconds: it is a number of them or a date. */
export function secondsOf(retryAfter: string | null, now = Date.now()): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

function told(problem: unknown): string {
  const { title, detail, errors = [] } = Object(problem ?? {});
  const parts = Array.isArray(errors)
    ? errors.map((each) => `${Object(each).path} ${Object(each).message}`)
    : [];
  const text = [detail ?? title, parts.join(', ')].filter(Boolean).join(' ');
  return text && `: ${text}`;
}

/** fetch hides what happened in the cause of a TypeError that says nothing. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message || cause.message : cause.message;
}
