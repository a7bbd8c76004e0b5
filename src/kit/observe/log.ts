import { pino } from 'pino';
import type { FinishedExchange } from '../http/exchange.ts';
import { printable, printablePath } from './printable.ts';

export type LogLevel = 'silent' | 'error' | 'info';

/** Takes lines of JSON, each with its end. */
export type WriteLine = (line: string) => void;

/** Where the server says what it does: a line per request, and each failure with its cause. */
export type Log = {
  /** Something worth knowing, with details by name. */
  info(text: string, details?: Readonly<Record<string, string>>): void;
  /** What was asked for, and what came of it. Undefined when nobody wants to know. */
  readonly request: ((exchange: FinishedExchange) => void) | undefined;
  /** A failure of the server's own, and the request that met it, where it is known. */
  failure(what: string, cause: unknown, request?: string): void;
  /** How many lines could not be written. */
  lost(): number;
};

export function createLog(level: LogLevel, write: WriteLine, lost = () => 0): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const lines = pino(options, { write });
  return {
    lost,
    info: (text, details = {}) => lines.info(details, text),
    // Each member by its name: what is not named here cannot come into the log.
    request: lines.isLevelEnabled('info')
      ? ({ id, operation, graphql, method, target, status, ms }) =>
          lines.info({
            id,
            operation,
            graphql,
            method,
            path: printablePath(target),
            status,
            ms: Math.round(ms * 100) / 100,
          })
      : undefined,
    failure: (what, cause, request) =>
      lines.error({ request, cause: told(cause) }, `${printable(what)} failed`),
  };
}

/** The time of day for a line. All but its milliseconds is made once a second, which spares 2 µs a line. */
function createTimestamp(): () => string {
  let second = 0;
  let text = '';
  return () => {
    const now = Date.now();
    const milliseconds = now % 1000;
    if (now - milliseconds !== second) {
      second = now - milliseconds;
      text = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
    }
    return `${text}${String(milliseconds).padStart(3, '0')}Z"`;
  };
}

const LONGEST_STACK = 3000;
const MOST_CAUSES = 5;

/** Anything can be thrown, also what has no text: that is no reason to fail in turn. */
function told(cause: unknown): unknown {
  try {
    return causeOf(cause);
  } catch {
    return 'a cause without a text';
  }
}

/**
 * What is told of a cause: only these members, because a driver's error has others that hold what
 * clients have sent.
 */
function causeOf(cause: unknown, depth = 1): unknown {
  if (!(cause instanceof Error)) return String(cause).slice(0, LONGEST_STACK);
  const { stack = '', cause: inner } = cause;
  const { code } = Object(cause);
  return {
    stack: stack.slice(0, LONGEST_STACK),
    ...(code !== undefined && { code: String(code) }),
    ...(inner !== undefined && depth < MOST_CAUSES && { cause: causeOf(inner, depth + 1) }),
  };
}
