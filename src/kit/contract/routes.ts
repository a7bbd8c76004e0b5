import type { Operation } from './operation.ts';

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

/** Told of a path that is the same as another. */
type Refuse = (path: string, message: string) => never;

/** Finds the route of a path; the cost depends on the segments of the path, not on the number of routes. */
export function createRoutes(operations: readonly Operation[], refuse: Refuse): Routes {
  const root = node();
  for (const [path, group] of Map.groupBy(operations, (operation) => operation.path)) {
    insert(root, routeOf(path, group), refuse);
  }
  return (path) => {
    const values: string[] = [];
    // The text before the first slash is empty.
    const route = path.startsWith('/') ? find(root, path.split('/'), 1, values) : undefined;
    return route && { route, values };
  };
}

function routeOf(path: string, declared: readonly Operation[]): Route {
  const operations = new Map(declared.map((operation) => [operation.method, operation]));
  const methods = [...operations.keys()].sort();
  const get = operations.get('GET');
  if (get && !operations.has('HEAD')) operations.set('HEAD', get);
  const allow = [...operations.keys()].sort().join(', ');
  return { path, operations, methods, allow, names: parameterNames(path) };
}

type Node = { readonly literals: Map<string, Node>; parameter?: Node; route?: Route };

function node(): Node {
  return { literals: new Map() };
}

function insert(root: Node, route: Route, refuse: Refuse): void {
  const { path } = route;
  let at = root;
  for (const segment of path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      at.parameter ??= node();
      at = at.parameter;
    } else {
      const next = at.literals.get(segment) ?? node();
      at.literals.set(segment, next);
      at = next;
    }
  }
  if (at.route) refuse(path, `${at.route.path} and ${path} are the same path`);
  at.route = route;
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
  if (found || !at.parameter || segment === '') return found;
  values.push(decode(segment));
  const route = find(at.parameter, segments, i + 1, values);
  if (!route) values.pop();
  return route;
}

/** The names of a path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => String(match[1]));
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
