import { pino } from 'pino';
import type { Exchange } from '../http/exchange.ts';
import type { ExchangeEnd } from './exchange-end.ts';

export type LogLevel = 'silent' | 'error' | 'info';

/** Takes lines of JSON, each with its end. */
export type WriteLine = (line: string) => void;

/** A line for each request, and each failure with its cause. */
export type Log = {
  info(text: string, details?: Readonly<Record<string, string>>): void;
  /** Undefined where the level leaves requests out. */
  readonly request: ((exchange: Logged, end: ExchangeEnd) => void) | undefined;
  /** A failure of the server's own, and the id of the request that met it, where it is known. */
  failure(what: string, cause: unknown, request?: string): void;
  /** How many lines could not be written. */
  lost(): number;
};

type Logged = Pick<Exchange, 'id' | 'graphql' | 'method' | 'path'>;

export function createLog(level: LogLevel, write: WriteLine, lost = () => 0): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const lines = pino(options, { write });
  // Each member by its name: what is not named here cannot come into the log.
  function request({ id, graphql, method, path }: Logged, end: ExchangeEnd): void {
    const { operation, status } = end;
    const ms = Math.round(end.ms * 100) / 100;
    lines.info({ id, operation, graphql, method, path: printable(path), status, ms });
  }
  return {
    lost,
    info: (text, details = {}) => lines.info(details, text),
    request: lines.isLevelEnabled('info') ? request : undefined,
    failure: (what, cause, request) =>
      lines.error({ request, cause: told(cause) }, `${printable(what)} failed`),
  };
}

const LONGEST = 200;
const PLAIN = /^[\x20-\x7e]*$/;

/** A client's text without what could end the line or control a terminal, at most 200 characters of it. */
export function printable(text: string): string {
  const short = text.slice(0, LONGEST);
  return PLAIN.test(short) ? short : short.replace(/[^\x20-\x7e]/g, '?');
}

/** All but the milliseconds is made once a second, which saves 2 µs a line. */
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

/** Anything can be thrown, also what String() fails on. */
function told(cause: unknown): unknown {
  try {
    return causeOf(cause);
  } catch {
    return 'a cause without a text';
  }
}

/** Only these members: others of a driver's error hold what clients have sent. */
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
