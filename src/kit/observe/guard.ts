import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Looks at an exchange; what it gives is run once the answer is sent. */
export type Observer = (
  request: IncomingMessage,
  response: ServerResponse,
) => (() => void) | undefined;

/** Keeps what only observes from failing a request, or the process: its failures are told instead. */
export type Guard = {
  /** The same function, which throws nothing. */
  quiet<Given extends unknown[]>(
    name: string,
    observe: (...given: Given) => void,
  ): (...given: Given) => void;
  observer(name: string, observe: Observer): RequestListener;
};

export function createGuard(onFailure: (name: string, cause: unknown) => void): Guard {
  const quiet: Guard['quiet'] =
    (name, observe) =>
    (...given) => {
      try {
        observe(...given);
      } catch (cause) {
        tell(name, cause);
      }
    };
  // Nobody is left to tell that telling failed.
  function tell(name: string, cause: unknown): void {
    try {
      onFailure(name, cause);
    } catch {}
  }
  return {
    quiet,
    observer: (name, observe) =>
      quiet(name, (request, response) => {
        const onSent = observe(request, response);
        if (onSent) response.once('finish', quiet(name, onSent));
      }),
  };
}
