import type { Fail, Path } from './contract-source.ts';
import { nearest } from './edit-distance.ts';
import { isObject, pointer, valueAt } from './openapi-document.ts';

const CIRCULAR = 'expected one that does not lead back to itself';

/** Every `$ref` leads to something of the kind that its place asks for, in the same document. */
export function checkReferences(document: Record<string, unknown>, fail: Fail): void {
  const sound = new Set<string>();
  eachReference(document, [], (path, ref) => {
    const key = `${kindAt(path)} ${ref}`;
    if (sound.has(key)) return;
    const fault = faultOf(document, path, ref);
    if (fault) fail({ path: [...path, '$ref'], at: 'value', message: `found "${ref}", ${fault}` });
    sound.add(key);
  });
}

/** No `$ref` leads back to itself by references alone: whoever follows it would not come to an end. */
export function refuseCircular(document: Record<string, unknown>, fail: Fail): void {
  const sound = new Set<string>();
  eachReference(document, [], (path, ref) => {
    if (sound.has(ref) || !ref.startsWith('#/')) return;
    if (isCircular(document, ref)) {
      fail({ path: [...path, '$ref'], at: 'value', message: `found "${ref}", ${CIRCULAR}` });
    }
    sound.add(ref);
  });
}

/** Writes references within a document as plain pointers: in an address their characters may be percent-encoded. */
export function decodeReferences(document: unknown): void {
  eachReference(document, [], (path, ref) => {
    if (!/^#\/.*%[0-9a-f]{2}/i.test(ref)) return;
    Object(valueAt(Object(document), path.map(String))).$ref = decoded(ref);
  });
}

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}

function faultOf(document: object, path: Path, ref: string): string | undefined {
  if (!ref.startsWith('#/')) {
    return 'expected a reference within this document, such as #/components/schemas/Name';
  }
  const parts = pointer(ref);
  const kind = kindAt(path);
  if (parts[0] === 'components' && parts.length === 3 && parts[1] !== kind) {
    return `expected a reference to #/components/${kind}/…`;
  }
  const value = valueAt(document, parts);
  if (value === undefined) return notThere(document, parts);
  const isSchema = kind === 'schemas' && typeof value === 'boolean';
  if (!isSchema && (!isObject(value) || Array.isArray(value))) {
    return `expected one that leads to ${kind === 'schemas' ? 'a schema' : 'an object'}`;
  }
  return isCircular(document, ref) ? CIRCULAR : undefined;
}

/** What is said of a reference to a part that a document does not have. */
export function notThere(
  document: object,
  parts: readonly string[],
  name = 'this document',
): string {
  const siblings = Object.keys(Object(valueAt(document, parts.slice(0, -1))));
  const meant = nearest(String(parts.at(-1)), siblings);
  const hint = meant ? `did you mean "${meant}"?` : `expected a part of ${name}`;
  return `which is not there; ${hint}`;
}

// Members that hold data, where `$ref` is no reference. Under `maps` the same words are names.
const data = new Set(['example', 'value', 'default', 'const', 'enum']);
const maps = new Set([
  ...['properties', 'patternProperties', '$defs', 'responses', 'headers', 'examples'],
]);

type Told = (path: Path, ref: string) => void;

/** The path is one array, which changes as the walk goes on. */
export function eachReference(
  value: unknown,
  path: string[],
  told: Told,
  // Bundlers follow a reference in place of an example.
  toldOfExample?: Told,
  isMap = false,
): void {
  if (!isObject(value)) return;
  if (typeof value.$ref === 'string') told(path, value.$ref);
  const areComponents = path.length === 1 && path[0] === 'components';
  for (const key in value) {
    const member = value[key];
    path.push(key);
    if (isMap || !data.has(key)) {
      // What a map names `headers` is not one.
      const isNextMap = areComponents || (!isMap && maps.has(key));
      eachReference(member, path, told, toldOfExample, isNextMap);
    } else if (key === 'example' && isObject(member) && typeof member.$ref === 'string') {
      toldOfExample?.(path, member.$ref);
    }
    path.pop();
  }
}

const kinds = ['parameters', 'responses', 'headers', 'examples', 'links', 'callbacks'];

/** The part of `components` that a reference at a path may lead to. */
function kindAt(path: Path): string {
  const [last, holder] = [String(path.at(-1)), String(path.at(-2))];
  // A schema or a member of one may be called `links`.
  if (isWithinSchema(path)) return 'schemas';
  if (last === 'requestBody') return 'requestBodies';
  if (holder === 'content') return 'mediaTypes';
  if (path.length === 2 && (holder === 'paths' || holder === 'webhooks')) return 'pathItems';
  if (path.at(-3) === 'callbacks' && holder !== 'components') return 'pathItems';
  if (path.length === 3 && path[0] === 'components') return String(path[1]);
  return kinds.find((kind) => kind === holder) ?? 'schemas';
}

// Under these a part of the document may be called `schema`.
const named = new Set([
  ...['headers', 'examples', 'links', 'callbacks', 'content', 'encoding', 'responses', 'webhooks'],
]);

function isWithinSchema(path: Path): boolean {
  if (path[0] === 'components' && path[1] === 'schemas') return true;
  return path.some((part, i) => {
    if (part !== 'schema' && part !== 'itemSchema') return false;
    const isComponent = i === 2 && path[0] === 'components';
    return !isComponent && !named.has(String(path[i - 1]));
  });
}

function isCircular(document: object, ref: string): boolean {
  const seen = new Set<unknown>();
  for (let at: unknown = ref; typeof at === 'string'; ) {
    if (seen.has(at)) return true;
    seen.add(at);
    at = Object(valueAt(document, pointer(at))).$ref;
  }
  return false;
}
