import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { type Markup, markup } from './markup.ts';

const ROW = 24;
const WIDTH = 236;
const GAP = 84;
const SPACE = 28;

// A larger picture is no help to its reader.
const MOST_TYPES = 40;
const MOST_FIELDS = 400;

type Box = { readonly type: GraphQLObjectType; readonly x: number; readonly y: number };

/** The object types as boxes with lines along their fields; undefined for a schema too large to draw. */
export function typePicture(schema: GraphQLSchema): Markup | undefined {
  const types = reachable(schema);
  const fields = types.flatMap((type) => Object.keys(type.getFields()));
  if (types.length > MOST_TYPES || fields.length > MOST_FIELDS) return undefined;
  const boxes = placed(columnsOf(types));
  const all = [...boxes.values()];
  const width = Math.max(...all.map(({ x }) => x)) + WIDTH + 1;
  const height = Math.max(...all.map((box) => box.y + heightOf(box.type))) + 1;
  return markup`<svg class="types" viewBox="-1 -1 ${width + 1} ${height + 1}" width="${width + 1}" height="${height + 1}" role="group" aria-label="${captionOf(all)}">
${all.map((box) => linesFrom(box, boxes))}
${all.map(boxOf)}
</svg>`;
}

/** The object types that the roots lead to, each once, breadth-first. */
function reachable(schema: GraphQLSchema): GraphQLObjectType[] {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const types = new Set(roots.filter(isObjectType));
  // A set yields what is added to it meanwhile.
  for (const type of types) {
    for (const next of targets(type)) types.add(next);
  }
  return [...types];
}

/** Puts each type to the right of those that lead to it; an edge that closes a cycle moves nothing. */
function columnsOf(types: readonly GraphQLObjectType[]): Map<GraphQLObjectType, number> {
  // Depth-first: in reverse postorder only an edge that closes a cycle leads backwards.
  const seen = new Set<GraphQLObjectType>();
  const postorder: GraphQLObjectType[] = [];
  const visit = (type: GraphQLObjectType) => {
    if (seen.has(type)) return;
    seen.add(type);
    targets(type).forEach(visit);
    postorder.push(type);
  };
  types.forEach(visit);

  const columns = new Map(types.map((type) => [type, 0]));
  const done = new Set<GraphQLObjectType>();
  for (const type of postorder.reverse()) {
    done.add(type);
    const right = (columns.get(type) ?? 0) + 1;
    for (const next of targets(type)) {
      if (!done.has(next)) columns.set(next, Math.max(right, columns.get(next) ?? 0));
    }
  }
  return columns;
}

function placed(columns: ReadonlyMap<GraphQLObjectType, number>): Map<GraphQLObjectType, Box> {
  const ends = new Map<number, number>();
  return new Map(
    [...columns].map(([type, column]) => {
      const y = ends.get(column) ?? 0;
      ends.set(column, y + heightOf(type) + SPACE);
      return [type, { type, x: column * (WIDTH + GAP), y }];
    }),
  );
}

function targets(type: GraphQLObjectType): GraphQLObjectType[] {
  return Object.values(type.getFields())
    .map((field) => getNamedType(field.type))
    .filter(isObjectType);
}

function heightOf(type: GraphQLObjectType): number {
  return (Object.keys(type.getFields()).length + 1) * ROW + 12;
}

function boxOf({ type, x, y }: Box): Markup {
  const rows = Object.values(type.getFields()).map(
    (field, i) => markup`<text x="${x + 12}" y="${y + (i + 2) * ROW - 2}">${field.name}</text>
<text class="of" x="${x + WIDTH - 12}" y="${y + (i + 2) * ROW - 2}" text-anchor="end">${String(field.type)}</text>\n`,
  );
  return markup`<a href="#${type.name}"><rect x="${x}" y="${y}" width="${WIDTH}" height="${heightOf(type)}" rx="8"/>
<text class="name" x="${x + 12}" y="${y + ROW - 4}">${type.name}</text>
${rows}</a>\n`;
}

function linesFrom({ type, x, y }: Box, boxes: ReadonlyMap<GraphQLObjectType, Box>): Markup[] {
  return Object.values(type.getFields()).flatMap((field, i) => {
    const named = getNamedType(field.type);
    const to = isObjectType(named) ? boxes.get(named) : undefined;
    if (!to) return [];
    const [startX, startY] = [x + WIDTH, y + (i + 2) * ROW - 6];
    const [endX, endY] = [to.x, to.y + ROW - 8];
    const bend = GAP / 2;
    const path = `M${startX} ${startY} C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`;
    return [markup`<path d="${path}"/><circle cx="${endX}" cy="${endY}" r="3"/>\n`];
  });
}

function captionOf(boxes: readonly Box[]): string {
  const sentences = boxes
    .filter(({ type }) => targets(type).length > 0)
    .map(({ type }) => {
      const names = new Set(targets(type).map(({ name }) => name));
      return `${type.name} leads to ${[...names].join(', ')}`;
    });
  return `The types: ${sentences.join('; ')}.`;
}
