import { isJsonType } from '../contract/media-type.ts';
import { type Document, type HeaderObject, resolve } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { ApiError } from '../errors.ts';
import { preferred } from '../http/accept.ts';
import type { HeaderValue, Reply } from '../http/exchange.ts';

type DeclaredReplies = {
  /** Of the media types of the operation's successful replies the one that a client prefers. */
  accept(header: string | undefined): string;
  /** The reply of a handler with the media type and the headers as the contract declares them. */
  complete(reply: Reply): Reply;
  /** What every reply of a deprecated operation carries: names and values in turn. */
  readonly deprecation: readonly string[];
};

const JSON_TYPE = 'application/json';

export function declaredReplies(document: Document, operation: Operation): DeclaredReplies {
  const { responses } = operation;
  const successes = [...responses].filter(([status]) => status.startsWith('2'));
  const among =
    successes.length > 0 ? successes.map(([, each]) => each) : [responses.get('default')];
  const types = [...new Set(among.flatMap((each) => Object.keys(each?.content ?? {})))];
  const [first = JSON_TYPE, ...others] = types;
  const mustAccept = responses.has('406') && types.length > 0;
  const forms = new Map(
    [...responses].map(([status, each]) => [status, replyForm(document, each)]),
  );
  return {
    accept(header) {
      if (others.length === 0 && !mustAccept) return first;
      const chosen = preferred(header, types);
      if (chosen || !mustAccept) return chosen ?? first;
      const errors = [{ path: '/headers/accept', message: `must admit ${types.join(' or ')}` }];
      throw new ApiError('invalid-request', { status: 406, errors });
    },
    complete(reply) {
      const status = String(reply.status);
      const form = forms.get(status) ?? forms.get(`${status[0]}XX`) ?? forms.get('default');
      const { headers, body } = reply;
      const type = reply.type ?? form?.type(body);
      return { status: reply.status, headers: form ? form.headers(headers) : headers, type, body };
    },
    deprecation: operation.deprecated ? deprecationOf(operation) : [],
  };
}

type ReplyForm = {
  type(body: Reply['body']): string | undefined;
  headers(headers: Reply['headers']): Reply['headers'];
};

function replyForm(
  document: Document,
  {
    content = {},
    headers = {},
  }: { readonly content?: object; readonly headers?: Readonly<Record<string, unknown>> },
): ReplyForm {
  const types = Object.keys(content);
  const chosen = types.find((each) => isJsonType(each)) ?? types[0];
  const changed = Object.entries(headers).flatMap(([name, header]) => {
    // The document was validated: this is where a header stands.
    const { explode, content: types = {} } = resolve(document, header as HeaderObject);
    if (Object.keys(types).some(isJsonType)) return [[name, jsonValue] as const];
    return explode ? [[name, explodedText] as const] : [];
  });
  return {
    type: chosen?.includes('*') ? (body) => typeInRange(chosen, body) : () => chosen,
    headers: (given) =>
      changed.length === 0
        ? given
        : {
            ...given,
            ...Object.fromEntries(changed.map(([name, change]) => [name, change(given[name])])),
          },
  };
}

/** A range names no type: one in it is assumed for what a handler gives without its own. */
function typeInRange(range: string, body: Reply['body']): string {
  if (range.startsWith('text/')) return 'text/plain; charset=utf-8';
  const isText = typeof body === 'string' && /^(\*|application)\//.test(range);
  return isText ? JSON_TYPE : 'application/octet-stream';
}

/** A header of `content`: what is text already was made by the handler. */
function jsonValue(value: HeaderValue): HeaderValue {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

function explodedText(value: HeaderValue): HeaderValue {
  if (!(value instanceof Object) || Array.isArray(value)) return value;
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${name}=${member}`],
  );
}

/**
 * RFC 9745 demands a date; where the contract gives none in `x-deprecated-at`, 1970 says that the operation has been
 * deprecated for some time. RFC 8594: Sunset is an HTTP date.
 */
function deprecationOf({ id, object, sunset }: Operation): string[] {
  const {
    'x-deprecation-date': other = '1970-01-01',
    'x-deprecated-at': since = other,
  }: Readonly<Record<string, unknown>> = { ...object };
  const seconds = Math.floor(dateOf(id, since).getTime() / 1000);
  return [
    ...['Deprecation', `@${seconds}`],
    ...(sunset === undefined ? [] : ['Sunset', dateOf(id, sunset).toUTCString()]),
  ];
}

function dateOf(id: string, given: unknown): Date {
  const date = new Date(String(given));
  if (Number.isNaN(date.getTime())) {
    throw new Error(
      `the deprecated operation ${id} has ${JSON.stringify(given)} where a date is due`,
    );
  }
  return date;
}
