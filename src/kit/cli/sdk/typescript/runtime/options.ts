import type { Secret } from './credentials.js';

export interface ClientOptions {
  /** Where the server is, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** The bearer token, or what gives one; it is asked anew for every attempt. */
  readonly token?: Secret | undefined;
  /** For how many milliseconds an attempt may take, its answer included: 30,000 unless said otherwise. */
  readonly timeout?: number | undefined;
  /** How often a request that can safely be sent again is: 3 times unless said otherwise. */
  readonly retries?: number | undefined;
  /** The longest to wait for another attempt, in milliseconds: 60,000 unless said otherwise. */
  readonly maxDelay?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Another fetch, for a proxy or for tests. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Told once when the server enforces other contracts than this SDK was made from. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** What can be said about a single call. */
export interface RequestOptions {
  /** Ends the call, and any waiting for another attempt. */
  readonly signal?: AbortSignal | undefined;
  /** For how many milliseconds an attempt of this call may take. */
  readonly timeout?: number | undefined;
  /** How often this call is sent again, where that is safe. */
  readonly retries?: number | undefined;
  /** Sent with this call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
