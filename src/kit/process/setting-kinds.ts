import type { Origins } from '../http/cors.ts';
import type { Rate } from '../http/rate-limit.ts';
import { readPostgresAddress } from '../store/database-address.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a setting takes, in words for the refusal, and how its text is read: undefined is refused. */
export type Kind<T> = {
  readonly takes: string;
  /** Whether the value may hold a secret: then no refusal repeats any of it. */
  readonly isSecret?: boolean;
  /** The word that switches the setting off, as if it were not set. */
  readonly off?: string;
  parse(text: string, env: Environment): T | undefined;
};

export const text: Kind<string> = { takes: 'text', parse: (given) => given };

export function integer(least: number, most: number): Kind<number> {
  return {
    takes: `a whole number from ${least} to ${most}`,
    parse(given) {
      const value = Number(given);
      return /^[0-9]+$/.test(given) && value >= least && value <= most ? value : undefined;
    },
  };
}

export const share: Kind<number> = {
  takes: 'a number from 0 to 1',
  parse: (given) => (/^(0|1|0?\.[0-9]+|1\.0+)$/.test(given) ? Number(given) : undefined),
};

export function oneOf<T extends string>(...values: readonly T[]): Kind<T> {
  return {
    takes: values.join(', ').replace(/, ([^,]*)$/, ' or $1'),
    parse: (given) => values.find((each) => each === given),
  };
}

/** One of two words, of which the first is true. */
export function either(yes: string, no: string): Kind<boolean> {
  return {
    takes: `${yes} or ${no}`,
    parse: (given) => given === yes || (given === no ? false : undefined),
  };
}

export const httpAddress: Kind<string> = {
  takes: 'an http or https address',
  isSecret: true,
  parse: (given) => (URL.canParse(given) && /^https?:\/\//.test(given) ? given : undefined),
};

// HS256 needs a key as long as its hash (RFC 7518, 3.2).
export const signingSecret: Kind<string> = {
  takes: 'at least 32 characters',
  isSecret: true,
  parse: (given) => (given.length < 32 ? undefined : given),
};

export const origins: Kind<Origins> = {
  takes: '* or origins such as https://example.com, with commas',
  isSecret: true,
  parse(given) {
    if (given === '*') return 'any';
    const all = given.split(',').map((each) => each.trim());
    // Browsers send the serialized origin: any other spelling would never match.
    return all.every((each) => URL.canParse(each) && new URL(each).origin === each)
      ? all
      : undefined;
  },
};

export const rate: Kind<Rate> = {
  takes: 'off, or requests/seconds such as 600/60, of at most 3600 seconds',
  off: 'off',
  parse(given) {
    const numbers = given.match(/^([1-9]\d{0,8})\/([1-9]\d{0,4})$/) ?? [];
    const [, requests, seconds] = numbers.map(Number);
    return requests && seconds && seconds <= 3600 ? { requests, seconds } : undefined;
  },
};

export const processes: Kind<number> = {
  ...integer(1, 256),
  parse(given, env) {
    const count = integer(1, 256).parse(given, env);
    if (count !== undefined && count > 1 && env.DATABASE_URL === 'sqlite::memory:') {
      throw new Error('WORKERS takes 1 with sqlite::memory:, which processes cannot share');
    }
    return count;
  },
};

export const database: Kind<string> = {
  takes:
    'sqlite:<file>, sqlite::memory: or postgres://<user>:<password>@<host>/<database>, ' +
    'with / ? # @ % in user and password percent-encoded',
  isSecret: true,
  parse(given) {
    const read = readPostgresAddress(given);
    if (read && 'fault' in read) throw new Error(`DATABASE_URL ${read.fault}`);
    return isDatabaseUrl(given) ? given : undefined;
  },
};

export const replicas: Kind<string> = {
  takes: 'postgres://<user>:<password>@<host>[,<host>…]/<database>, as DATABASE_URL does',
  isSecret: true,
  parse(given, { DATABASE_URL = '' }) {
    if (readPostgresAddress(DATABASE_URL) === undefined) {
      throw new Error('DATABASE_READ_URL needs a DATABASE_URL of PostgreSQL, for the writes');
    }
    if (/[?&]target_session_attrs=/.test(given)) {
      throw new Error('DATABASE_READ_URL takes no target_session_attrs: its standbys are asked');
    }
    const read = readPostgresAddress(given);
    if (read && 'fault' in read) throw new Error(`DATABASE_READ_URL ${read.fault}`);
    return read && given;
  },
};

/** Whether a store can be opened there. */
export function isDatabaseUrl(given: string): boolean {
  // A file name that holds another address is a mistake, and may hold a password.
  if (/^sqlite:./.test(given)) return !given.includes('://');
  const read = readPostgresAddress(given);
  return read !== undefined && 'hosts' in read;
}
