import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';

type Values = Readonly<Record<string, unknown>>;

type Parts = {
  readonly record: (type: GraphQLObjectType, name: string, members: Values) => object;
  readonly node: (type: GraphQLOutputType, i: number) => unknown;
};

// Of every mocked connection.
const TOTAL = 3;

/**
 * The members of a connection by Relay's specification, for the arguments of its field; undefined for any other type.
 */
export function connectionOf(
  type: GraphQLObjectType,
): ((args: Values, parts: Parts) => Values) | undefined {
  const { pageInfo, edges, nodes, totalCount } = type.getFields();
  const pages = pageInfo && getNamedType(pageInfo.type);
  const edge = edges && itemOf(edges.type);
  const node = nodes && itemOf(nodes.type);
  if (!isObjectType(pages) || (!isObjectType(edge) && node === undefined)) return undefined;
  const ofEdge = isObjectType(edge) ? edge.getFields().node?.type : undefined;
  const nodeType = node ?? ofEdge;
  if (!nodeType) return undefined;
  return (args, { record, node: nodeAt }) => {
    const { start, end } = windowOf(args);
    const places = Array.from({ length: end - start }, (_, i) => start + i);
    const found = places.map((i) => ({ i, node: nodeAt(nodeType, i) }));
    const info = {
      hasNextPage: end < TOTAL,
      hasPreviousPage: start > 0,
      startCursor: end > start ? cursorOf(start) : null,
      endCursor: end > start ? cursorOf(end - 1) : null,
    };
    return {
      pageInfo: record(pages, 'pageInfo', info),
      ...(node && { nodes: found.map((each) => each.node) }),
      ...(isObjectType(edge) && {
        edges: found.map((each) =>
          record(edge, `edge${each.i}`, { cursor: cursorOf(each.i), node: each.node }),
        ),
      }),
      ...(totalCount && { totalCount: TOTAL }),
    };
  };
}

function itemOf(type: GraphQLOutputType): GraphQLOutputType | undefined {
  const list = getNullableType(type);
  return isListType(list) ? getNullableType(list.ofType) : undefined;
}

/** By the algorithm of Relay's cursor connections. */
function windowOf({ first, last, after, before }: Values): { start: number; end: number } {
  const lower = (placeOf(after) ?? -1) + 1;
  const upper = Math.max(lower, placeOf(before) ?? TOTAL);
  const end = typeof first === 'number' ? Math.min(upper, lower + Math.max(first, 0)) : upper;
  const start = typeof last === 'number' ? Math.max(lower, end - Math.max(last, 0)) : lower;
  return { start, end };
}

function cursorOf(i: number): string {
  return `cursor-${i + 1}`;
}

function placeOf(cursor: unknown): number | undefined {
  const [, number] = /^cursor-(\d{1,3})$/.exec(String(cursor)) ?? [];
  return number === undefined ? undefined : Math.min(Number(number), TOTAL) - 1;
}
