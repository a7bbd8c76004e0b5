import type { Operation } from './operation.ts';
import {
  formOf,
  parameterNames,
  patternOf,
  type SegmentPattern,
  textsIn,
} from './path-template.ts';

/** One path of the contract with the operations on it. */
export type Route = {
  readonly path: string;
  /** By method. HEAD has the operation of GET, unless the contract declares one of its own. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The methods that the contract declares, sorted. */
  readonly methods: readonly string[];
  /** The value of the header `Allow`: the methods, with HEAD wherever there is GET. */
  readonly allow: string;
  /** The names of its path parameters, in order. */
  readonly names: readonly string[];
};

/** A route and the text of its path parameters, decoded, in the order of their names. */
export type Match = { readonly route: Route; readonly values: readonly string[] };

export type Routes = (path: string) => Match | undefined;

/** Finds the route of a path; the cost depends on the segments of the path, not on the number of routes. */
export function createRoutes(operations: readonly Operation[]): Routes {
  const root = node();
  const groups = [...Map.groupBy(operations, ({ path }) => formOf(path)).values()];
  const routes = groups.map((group) => ({ group, route: routeOf(group) }));
  for (const { route } of routes) insert(root, formOf(route.path), route);
  // The path of a server is a prefix that may be left out, as a gateway does that strips it.
  for (const { group, route } of routes) {
    const prefixes = new Set(group.flatMap(({ basePaths }) => basePaths));
    for (const prefix of prefixes) insert(root, prefix + formOf(route.path), route);
  }

  return (path) => {
    const values: string[] = [];
    // The text before the first slash is empty.
    const route = path.startsWith('/') ? find(root, path.split('/'), 1, values) : undefined;
    return route && { route, values };
  };
}

function routeOf(declared: readonly Operation[]): Route {
  const operations = new Map(declared.map((operation) => [operation.method, operation]));
  const methods = [...operations.keys()].sort();
  const get = operations.get('GET');
  if (get && !operations.has('HEAD')) operations.set('HEAD', get);
  const allow = [...operations.keys()].sort().join(', ');
  const path = declared[0]?.path ?? '';
  return { path, operations, methods, allow, names: parameterNames(path) };
}

type Node = {
  readonly literals: Map<string, Node>;
  /** Segments with parameters and text, those with more text first. */
  readonly patterns: { readonly pattern: SegmentPattern; readonly next: Node }[];
  parameter?: Node;
  route?: Route;
};

function node(): Node {
  return { literals: new Map(), patterns: [] };
}

function insert(root: Node, path: string, route: Route): void {
  let at = root;
  for (const segment of path.slice(1).split('/')) at = below(at, segment);
  // The path as it stands comes before one with a prefix.
  at.route ??= route;
}

function below(at: Node, segment: string): Node {
  if (!segment.includes('{')) {
    const next = at.literals.get(segment) ?? node();
    at.literals.set(segment, next);
    // A client may encode what need not be, such as the `@` of `/@me`.
    at.literals.set(encodeURIComponent(segment), next);
    return next;
  }
  const pattern = patternOf(segment);
  if (pattern.length === 2 && pattern.every((text) => text === '')) {
    at.parameter ??= node();
    return at.parameter;
  }
  const known = at.patterns.find((each) => each.pattern.join('{}') === pattern.join('{}'));
  if (known) return known.next;
  const next = node();
  at.patterns.push({ pattern, next });
  at.patterns.sort((a, b) => b.pattern.join('').length - a.pattern.join('').length);
  return next;
}

function find(
  at: Node,
  segments: readonly string[],
  i: number,
  values: string[],
): Route | undefined {
  const segment = segments[i];
  if (segment === undefined) return at.route;
  const literal = at.literals.get(segment);
  const found = literal && find(literal, segments, i + 1, values);
  if (found || segment === '') return found;
  for (const { pattern, next } of at.patterns) {
    const texts = textsIn(pattern, segment);
    const route = texts && findBehind(next, segments, i, values, texts);
    if (route) return route;
  }
  return at.parameter && findBehind(at.parameter, segments, i, values, [segment]);
}

function findBehind(
  at: Node,
  segments: readonly string[],
  i: number,
  values: string[],
  texts: readonly string[],
): Route | undefined {
  const { length } = values;
  for (const text of texts) values.push(decode(text));
  const route = find(at, segments, i + 1, values);
  if (!route) values.length = length;
  return route;
}

/** A segment decoded; as it is where its percent-encoding is malformed. */
export function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
