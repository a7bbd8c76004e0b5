import { parameterText } from './parameter-text.js';

/** What is sent as bytes; a `File` brings its name. */
export type Binary = Blob | ArrayBuffer | Uint8Array;

/** A body of another media type than the one that the operation takes first. */
export class MediaBody<Type extends string, Content> {
  readonly type: Type;
  readonly content: Content;

  constructor(type: Type, content: Content) {
    this.type = type;
    this.content = content;
  }
}

/** How the bodies of a media type are written. */
export interface BodyForm {
  readonly type: string;
  readonly as: 'json' | 'form' | 'multipart' | 'text' | 'binary';
  /** How the fields of a form are written, where the contract says so. */
  readonly encoding?: Readonly<
    Record<string, { readonly style: string; readonly explode: boolean }>
  >;
}

export type Sendable = string | Binary | FormData;

export interface WrittenBody {
  /** Undefined where fetch finds it out, as the boundary of a form. */
  readonly type: string | undefined;
  readonly content: Sendable;
}

/** A body as it is sent. */
export function writeBody(forms: readonly BodyForm[], value: unknown): WrittenBody {
  const [first] = forms;
  const given = value instanceof MediaBody ? value : undefined;
  const form = given ? forms.find(({ type }) => isOf(given.type, type)) : first;
  const type = given?.type ?? form?.type ?? 'application/json';
  const content: unknown = given ? given.content : value;
  switch (form?.as) {
    case 'form':
      return { type, content: urlEncoded(form, Object(content)) };
    case 'multipart':
      return { type: undefined, content: formData(form, Object(content)) };
    case 'text':
    case 'binary':
      // The types of the method admit text and bytes alone.
      return { type, content: content as Sendable };
    default:
      return { type, content: JSON.stringify(content) };
  }
}

/** Whether a media type is the declared one, or in the declared range. */
function isOf(type: string, declared: string): boolean {
  if (declared === type || declared === '*/*') return true;
  return declared.endsWith('/*') && type.startsWith(declared.slice(0, -1));
}

function urlEncoded(form: BodyForm, value: object): string {
  const fields = Object.entries(value).flatMap(([name, each]) => fieldsOf(form, name, each));
  const search = new URLSearchParams();
  for (const [name, each] of fields) search.append(name, String(each));
  return search.toString();
}

function formData(form: BodyForm, value: object): FormData {
  const data = new FormData();
  for (const [name, each] of Object.entries(value).flatMap(([key, all]) =>
    fieldsOf(form, key, all),
  )) {
    if (each instanceof Blob) data.append(name, each);
    else if (isBytes(each)) data.append(name, new Blob([each as ArrayBuffer]));
    else data.append(name, String(each));
  }
  return data;
}

/** Lists one by one and objects as JSON, unless the contract has a style for the field. */
function fieldsOf({ encoding }: BodyForm, name: string, value: unknown): [string, unknown][] {
  if (value === undefined || value === null) return [];
  if (value instanceof Blob || isBytes(value)) return [[name, value]];
  const styled = encoding?.[name];
  if (styled && typeof value === 'object') {
    const text = parameterText({ name, in: 'query', ...styled }, value);
    // Split again, because the form has an encoding of its own.
    return text.split('&').map((pair) => {
      const mark = pair.indexOf('=');
      return [decodeURIComponent(pair.slice(0, mark)), decodeURIComponent(pair.slice(mark + 1))];
    });
  }
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.map((each) => [name, isPlainObject(each) ? JSON.stringify(each) : each]);
}

function isBytes(value: unknown): value is ArrayBuffer | Uint8Array {
  return value instanceof ArrayBuffer || value instanceof Uint8Array;
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Blob) && !isBytes(value);
}
