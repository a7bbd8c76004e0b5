import type { Document } from '../../contract/openapi-document.ts';
import type { Level, Subject } from './change.ts';
import type { Schema } from './schema-text.ts';

export type Documents = { readonly before: Document; readonly after: Document };

/** Where values of a schema go: what clients send, what they are given, or both. */
export type Use = { readonly request: boolean; readonly response: boolean };

/** A schema or a part of one, in a document and in the words of a reader. */
export type At = {
  readonly subject: Subject;
  /** What it belongs to: `Planet` or the body of an operation. */
  readonly owner: string;
  /** The names of the members that lead to it. */
  readonly path: readonly string[];
  readonly place: string;
  readonly use: Use;
  /** Whether it is sent as text, whatever its type. */
  readonly isText?: boolean;
};

/** A change as a comparison tells it. */
export type Fact = {
  readonly rule: string;
  readonly level: Level;
  readonly isWording?: boolean;
  readonly subject: Subject;
  readonly part: string;
  readonly message: string;
  readonly brief?: string;
  readonly place: string;
  readonly isGone?: boolean;
  /** Whether clients may send what was refused. */
  readonly isLooser?: boolean;
  readonly before?: unknown;
  readonly after?: unknown;
};

export type Tell = (fact: Fact) => void;

/** Whether fewer values are admitted than before, more, or others. */
export type Effect = 'narrower' | 'wider' | 'other';

export function levelOf(effect: Effect, { request, response }: Use): Level {
  if (effect === 'narrower') return request ? 'breaking' : 'safe';
  if (effect === 'wider') return response ? 'breaking' : 'safe';
  return request || response ? 'breaking' : 'safe';
}

/** `name` of `Planet`. */
export function nounOf({ owner, path }: Pick<At, 'owner' | 'path'>): string {
  const own = path.join('.').replaceAll('.[]', '[]');
  return own === '' ? owner : `\`${own}\` of ${owner}`;
}

/** What of its subject it is: `answer 200 header Link`, `name`. */
export function partOf({ subject, owner, path }: At): string {
  const own = path.join('.').replaceAll('.[]', '[]');
  const place = subject.kind === 'operation' ? ownerPart(owner) : '';
  return [place, own].filter(Boolean).join(' ');
}

/** What of an operation an owner's words name: `body`, `answer 200`, `query limit`. */
export function ownerPart(owner: string): string {
  const found = owner.match(/answer \S+|body|\w+ parameter `[^`]*`|header `[^`]*`/g) ?? [];
  return found.toReversed().join(' ').replace(' parameter', '').replaceAll('`', '');
}

/** In requests, in answers or in both. */
export function whereText({ request, response }: Use): string {
  if (request && response) return 'in requests and answers';
  if (request) return 'in requests';
  return response ? 'in answers' : 'where nothing uses it yet';
}

/** What a change comes to for a client; nothing where none notices. */
export function consequence(effect: Effect, { request, response }: Use): string {
  if (effect !== 'wider' && request) return ' Requests that do not keep to it are refused.';
  if (effect !== 'narrower' && response)
    return ' A client that relies on the old answers may fail.';
  return '';
}

type Phrase = (value: unknown) => string;

const count = (value: unknown) =>
  typeof value === 'number' ? value.toLocaleString('en-US') : String(value);

/** The keywords that bound values: what each says, and how one value of it is narrower than another. */
export const bounds: Readonly<Record<string, { readonly says: Phrase; readonly less: boolean }>> = {
  maxLength: { says: (value) => `has at most ${count(value)} characters`, less: true },
  minLength: { says: (value) => `has at least ${count(value)} characters`, less: false },
  maximum: { says: (value) => `is at most ${count(value)}`, less: true },
  minimum: { says: (value) => `is at least ${count(value)}`, less: false },
  exclusiveMaximum: { says: (value) => `is less than ${count(value)}`, less: true },
  exclusiveMinimum: { says: (value) => `is more than ${count(value)}`, less: false },
  maxItems: { says: (value) => `has at most ${count(value)} items`, less: true },
  minItems: { says: (value) => `has at least ${count(value)} items`, less: false },
  maxProperties: { says: (value) => `has at most ${count(value)} members`, less: true },
  minProperties: { says: (value) => `has at least ${count(value)} members`, less: false },
};

/** Keywords of which another value admits other values. */
export const forms: Readonly<Record<string, Phrase>> = {
  pattern: (value) => `has the form \`${value}\``,
  format: (value) => `has the format \`${value}\``,
  multipleOf: (value) => `is a multiple of ${count(value)}`,
  uniqueItems: () => 'has each item only once',
  contentMediaType: (value) => `holds \`${value}\``,
  contentEncoding: (value) => `is encoded as \`${value}\``,
};

/** Whether the bounds beside a format of integers imply it. */
export function isImpliedFormat({ type, minimum, maximum, format }: Schema): boolean {
  const [least, most] = ranges[String(format)] ?? [0, -1];
  return type === 'integer' && Number(minimum) >= least && Number(maximum) <= most;
}

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63 - 1],
};
