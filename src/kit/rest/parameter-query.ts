import { invalid } from '../errors.ts';
import type { Shape } from './parameter-shape.ts';
import type { Source } from './parameter-source.ts';
import { asMap, partsOf } from './parameter-style.ts';
import { jsonOf, type Parts, scalarOf, valueFrom } from './parameter-value.ts';

type Pair = readonly [name: string, text: string];

/** What a query gives for one parameter. */
type Given = { readonly pairs: Pair[]; isMalformed: boolean };

/** Finds the parameter that a name in a query belongs to. */
type Owner = (name: string) => number | undefined;

// Each level of brackets is a level of recursion.
const DEEPEST = 10;

/** Reads the query's values by an operation's query parameters; `others` are names of no concern here. */
export function createQuery(
  sources: readonly Source[],
  others: ReadonlySet<string>,
): (query: string) => (source: Source) => unknown {
  const owner = ownerOf(sources);
  const positions = new Map(sources.map((source, i) => [source, i]));
  return (query) => {
    const given: (Given | undefined)[] = [];
    for (const piece of query.split('&')) {
      if (piece === '') continue;
      const mark = piece.indexOf('=');
      const rawName = mark < 0 ? piece : piece.slice(0, mark);
      const rawText = mark < 0 ? '' : piece.slice(mark + 1);
      const name = decoded(rawName) ?? lenient(rawName);
      const text = decoded(rawText);
      const i = owner(name);
      if (i === undefined) {
        if (others.has(name)) continue;
        throw invalid(`/query/${name}`, 'is not a parameter of this operation');
      }
      const pair: Pair = [name, text ?? lenient(rawText)];
      const known = given[i];
      if (known) known.pairs.push(pair);
      else given[i] = { pairs: [pair], isMalformed: false };
      if (text === undefined) Object(given[i]).isMalformed = true;
    }
    return (source) => {
      const own = given[positions.get(source) ?? -1];
      return own && valueIn(own, source);
    };
  };
}

function ownerOf(sources: readonly Source[]): Owner {
  const exact = new Map<string, number>();
  const members = new Map<string, number>();
  const deep: [string, number][] = [];
  let open: number | undefined;
  for (const [i, source] of sources.entries()) {
    const { name, shape } = source;
    if (isSpread(source)) {
      for (const member of shape.names) if (!members.has(member)) members.set(member, i);
      if (shape.isOpen) open ??= i;
      if (!shape.isScalar) continue;
    }
    if (source.style === 'deepObject' && source.mediaType === undefined) deep.push([`${name}[`, i]);
    exact.set(name, i);
  }
  return (name) =>
    exact.get(name) ??
    members.get(name) ??
    deep.find(
      ([start]) => name.startsWith(start) && BRACKETS.test(name.slice(start.length - 1)),
    )?.[1] ??
    open;
}

const BRACKETS = /^(\[[^[\]]*\])+$/;

/** Whether the properties of an object are parameters of their own. */
function isSpread({ style, explode, shape, mediaType }: Source): boolean {
  return style === 'form' && explode && shape.types.has('object') && mediaType === undefined;
}

function valueIn({ pairs, isMalformed }: Given, source: Source): unknown {
  const { name, at, shape, style, explode, mediaType, allowEmpty } = source;
  const [first = ['', ''], ...more] = pairs;
  const isList = explode && style !== 'deepObject' && shape.types.has('array') && !mediaType;
  // What is an object and nothing else may have a member of the parameter's name.
  const isOwn = first[0] === name && shape.types.size > 1;
  const isTree = (style === 'deepObject' && !mediaType) || (isSpread(source) && !isOwn);
  if (more.length > 0 && !isList && !isTree) throw invalid(at, 'is given more than once');
  const isInteger = shape.types.size === 1 && shape.types.has('integer');
  // Such a text is no integer either way.
  if (isInteger && !isTree) return scalarOf(first[1], shape, at);
  if (isMalformed) throw invalid(at, 'has malformed percent-encoding');
  if (more.length === 0 && first[1] === '' && first[0] === name && !allowEmpty) {
    if (shape.types.has('string') || !shape.types.has('null'))
      throw invalid(at, 'must not be empty');
  }
  if (source.isJson) return jsonOf(first[1], at);
  if (style === 'deepObject' && !mediaType) return valueFrom(treeOf(pairs, source), shape, at);
  if (isTree) return valueFrom(spread(pairs, shape, at), shape, at);
  if (isList && (more.length > 0 || !shape.isScalar)) {
    return valueFrom(
      pairs.map(([, text]) => text),
      shape,
      at,
    );
  }
  if (explode || mediaType) return scalarOf(first[1], shape, at);
  return valueFrom(partsOf(first[1], source, shape, at), shape, at);
}

/** The members of an object that are parameters of their own; those that are lists may be given repeatedly. */
function spread(pairs: readonly Pair[], shape: Shape, at: string): Parts {
  const grouped = [...Map.groupBy(pairs, ([name]) => name)];
  return asMap(
    grouped.flatMap(([name, all]): [string, Parts][] => {
      const texts = all.map(([, text]) => text);
      if (shape.member(name).types.has('array'))
        return [[name, texts.length > 1 ? texts : String(texts[0])]];
      return texts.map((text) => [name, text]);
    }),
    at,
  );
}

type Tree = { readonly texts: string[]; readonly members: Map<string, Tree> };

/** `name[a][b]=c`, at any depth; lists as `name[]=c`, `name[0]=c` or the name repeated. */
function treeOf(pairs: readonly Pair[], { name, shape, at }: Source): Parts {
  const root: Tree = { texts: [], members: new Map() };
  for (const [whole, text] of pairs) {
    let tree = root;
    const rest = whole.slice(name.length);
    const keys = rest === '' ? [] : rest.slice(1, -1).split('][');
    if (keys.length > DEEPEST) throw invalid(at, `has more than ${DEEPEST} levels of brackets`);
    for (const key of keys) {
      const next = tree.members.get(key) ?? { texts: [], members: new Map() };
      tree.members.set(key, next);
      tree = next;
    }
    tree.texts.push(text);
  }
  return branch(root, shape, at);
}

function branch({ texts, members }: Tree, shape: Shape, at: string): Parts {
  const [first = ''] = texts;
  const isArray = shape.types.has('array');
  if (members.size === 0 && (texts.length === 1 || !isArray)) {
    if (texts.length > 1) throw invalid(at, 'is given more than once');
    return first;
  }
  if (members.size === 0) return texts;
  if (texts.length > 0) throw invalid(at, 'is given both as a value and by its members');
  const isListed = isArray && [...members.keys()].every((key) => /^[0-9]*$/.test(key));
  if (!isListed) {
    return new Map(
      [...members].map(([key, tree]) => [key, branch(tree, shape.member(key), `${at}/${key}`)]),
    );
  }
  return [...members]
    .sort(([a], [b]) => Number(a) - Number(b))
    .flatMap(([key, tree], i): Parts[] =>
      key === '' && tree.members.size === 0
        ? tree.texts
        : [branch(tree, shape.item(i), `${at}/${i}`)],
    );
}

/** A text without its encoding; undefined where that is malformed. */
function decoded(text: string): string | undefined {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

/** As much of a malformed text as can be decoded. */
function lenient(text: string): string {
  return new URLSearchParams(`x=${text}`).get('x') ?? '';
}
