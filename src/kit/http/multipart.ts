import { mediaTypeOf, splitUnquoted } from '../contract/media-type.ts';
import { ApiError, invalid } from '../errors.ts';
import { parseText } from './body.ts';

/** One part of a multipart body. Its content must be read before the next part is asked for. */
export type Part = {
  /** By name, in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly content: AsyncIterable<Buffer>;
};

const MOST_PARTS = 1000;
const MOST_HEADER_BYTES = 8192;
const LINE_END = Buffer.from('\r\n');

/**
 * The parts of a multipart body (RFC 2046). busboy would decode each part that has no file name, so that bytes which are
 * no UTF-8 are lost, and would pass over parts that it cannot name.
 */
export async function* partsOf(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const iterator = chunks[Symbol.asyncIterator]();
  // The first delimiter may stand at the very beginning.
  let rest: Buffer = LINE_END;

  async function grow(): Promise<void> {
    const { done, value } = await iterator.next();
    if (done) throw malformed('ends before its last boundary');
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
  }

  /** What stands before a mark; the mark is passed over. */
  async function* before(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = rest.indexOf(mark);
      const length = at < 0 ? rest.length - mark.length + 1 : at;
      const piece = rest.subarray(0, Math.max(length, 0));
      if (length > 0 || at >= 0) rest = rest.subarray(length + (at < 0 ? 0 : mark.length));
      if (piece.length > 0) yield piece;
      if (at >= 0) return;
      await grow();
    }
  }

  async function line(room: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of before(LINE_END)) {
      length += piece.length;
      if (length > room)
        throw malformed(`has a part with more than ${MOST_HEADER_BYTES} bytes of headers`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces, length);
  }

  async function isLast(): Promise<boolean> {
    while (rest.length < 2) await grow();
    if (rest[0] === 0x2d && rest[1] === 0x2d) {
      rest = rest.subarray(2);
      await passPadding();
      return true;
    }
    // Only white space may follow a boundary.
    if (/[^ \t]/.test((await line(MOST_HEADER_BYTES)).toString('latin1'))) {
      throw malformed('has a boundary within a part');
    }
    return false;
  }

  /** RFC 2046: white space, and a line end where something follows. */
  async function passPadding(): Promise<void> {
    for (;;) {
      const text = rest.toString('latin1').replace(/^[ \t]+/, '');
      if (text.startsWith('\r\n')) return;
      const next = text === '' || text === '\r' ? await iterator.next() : undefined;
      if (next?.done && text === '') return;
      if (!next || next.done) throw malformed('has text behind its last boundary');
      rest = Buffer.concat([Buffer.from(text), next.value]);
    }
  }

  async function readHeaders(): Promise<Map<string, string>> {
    const headers = new Map<string, string>();
    let room = MOST_HEADER_BYTES;
    for (;;) {
      const bytes = await line(room);
      if (bytes.length === 0) return headers;
      room -= bytes.length;
      addHeader(headers, parseText(bytes));
    }
  }

  try {
    // The preamble is to be ignored, and so is what follows the last boundary.
    for await (const _ of before(delimiter));
    for (let count = 1; !(await isLast()); count++) {
      if (count > MOST_PARTS) {
        throw new ApiError('payload-too-large', {
          detail: `The body has more than ${MOST_PARTS} parts.`,
        });
      }
      const headers = await readHeaders();
      const content = before(delimiter);
      yield { headers, content };
      for await (const _ of content);
    }
    while (!(await iterator.next()).done);
  } finally {
    await iterator.return?.();
  }
}

function addHeader(headers: Map<string, string>, line: string): void {
  const mark = line.indexOf(':');
  const name = line.slice(0, Math.max(mark, 0)).toLowerCase();
  const value = line.slice(mark + 1).trim();
  // A folded header begins with white space: nobody writes one.
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || /(?!\t)\p{Cc}/u.test(value)) {
    throw malformed('has a part with a malformed header');
  }
  if (headers.has(name)) throw malformed(`has a part with two headers ${name}`);
  headers.set(name, value);
}

export type Disposition = {
  readonly name: string | undefined;
  readonly filename: string | undefined;
};

/** What a part's Content-Disposition says (RFC 7578, 4.2). */
export function dispositionOf({ headers }: Part): Disposition {
  const text = headers.get('content-disposition') ?? '';
  // Its grammar is that of a media type.
  const { parameters } = mediaTypeOf(text);
  const names = splitUnquoted(text, ';').slice(1).map(parameterName).filter(Boolean);
  if (new Set(names).size < names.length) {
    throw malformed('has a part with a parameter of Content-Disposition given twice');
  }
  const filename = extended(parameters.get('filename*')) ?? parameters.get('filename');
  return { name: parameters.get('name'), filename: filename && baseName(filename) };
}

function parameterName(text: string): string {
  return text.split('=', 1).join().trim().toLowerCase();
}

/** RFC 8187: `UTF-8''%c3%a9`. */
function extended(text = ''): string | undefined {
  const [charset = '', , encoded] = text.split("'");
  if (charset.toLowerCase() !== 'utf-8' || encoded === undefined) return undefined;
  const name = decoded(encoded);
  if (/\p{Cc}/u.test(name ?? '')) throw malformed('has a file name with a control character');
  return name;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Without the folders that a client may have written before it, also those of Windows. */
function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name === '.' || name === '..' ? '' : name;
}

/** The boundary that a Content-Type names. */
export function boundaryOf(contentType: string): string {
  const boundary = mediaTypeOf(contentType).parameters.get('boundary') ?? '';
  if (boundary === '' || boundary.length > 70) {
    throw invalid('/headers/content-type', 'must have a boundary of 1 to 70 characters');
  }
  return boundary;
}

function malformed(fault: string): ApiError {
  return invalid('/body', fault);
}
