import {
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { type Markup, markup } from './markup.ts';

const ROW = 24;
const WIDTH = 236;
const GAP = 84;
const SPACE = 28;

// A larger picture is no help to its reader.
const MOST_TYPES = 40;
const MOST_FIELDS = 400;

/** A field, or a type that an interface or union leads to. */
type Row = {
  readonly name: string;
  readonly of: string;
  readonly to: GraphQLCompositeType | undefined;
};
type Shape = { readonly type: GraphQLCompositeType; readonly rows: readonly Row[] };
type Shapes = ReadonlyMap<GraphQLCompositeType, Shape>;
type Box = Shape & { readonly x: number; readonly y: number };

/** The objects, interfaces and unions as boxes with lines along their fields; undefined for a schema too large to draw. */
export function typePicture(schema: GraphQLSchema): Markup | undefined {
  const shapes = reachable(schema);
  const rows = shapes.values().reduce((sum, each) => sum + each.rows.length, 0);
  if (shapes.size > MOST_TYPES || rows > MOST_FIELDS) return undefined;
  const boxes = placed(columnsOf(shapes), shapes);
  const all = [...boxes.values()];
  const width = Math.max(...all.map(({ x }) => x)) + WIDTH + 1;
  const height = Math.max(...all.map((box) => box.y + heightOf(box))) + 1;
  return markup`<svg class="types" viewBox="-1 -1 ${width + 1} ${height + 1}" width="${width + 1}" height="${height + 1}" role="group" aria-label="${captionOf(all)}">
${all.map((box) => linesFrom(box, boxes))}
${all.map(boxOf)}
</svg>`;
}

/** The types that the roots lead to, each once, breadth-first. */
function reachable(schema: GraphQLSchema): Shapes {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = new Set<GraphQLCompositeType>(roots.filter(isObjectType));
  const shapes = new Map<GraphQLCompositeType, Shape>();
  // A set yields what is added to it meanwhile.
  for (const type of types) {
    const rows = rowsOf(schema, type);
    shapes.set(type, { type, rows });
    for (const { to } of rows) if (to) types.add(to);
  }
  return shapes;
}

function rowsOf(schema: GraphQLSchema, type: GraphQLCompositeType): Row[] {
  const fields = isUnionType(type) ? [] : Object.values(type.getFields());
  const possible = isUnionType(type) || isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
  return [
    ...fields.map((field): Row => {
      const named = getNamedType(field.type);
      const to = isCompositeType(named) ? named : undefined;
      return { name: field.name, of: String(field.type), to };
    }),
    ...possible.map((to): Row => ({ name: `… on ${to.name}`, of: '', to })),
  ];
}

/** Puts each type to the right of those that lead to it; an edge that closes a cycle moves nothing. */
function columnsOf(shapes: Shapes): Map<GraphQLCompositeType, number> {
  // Depth-first: in reverse postorder only an edge that closes a cycle leads backwards.
  const seen = new Set<GraphQLCompositeType>();
  const postorder: GraphQLCompositeType[] = [];
  const visit = (type: GraphQLCompositeType) => {
    if (seen.has(type)) return;
    seen.add(type);
    targets(shapes.get(type)).forEach(visit);
    postorder.push(type);
  };
  for (const type of shapes.keys()) visit(type);

  const columns = new Map(shapes.keys().map((type) => [type, 0]));
  const done = new Set<GraphQLCompositeType>();
  for (const type of postorder.reverse()) {
    done.add(type);
    const right = (columns.get(type) ?? 0) + 1;
    for (const next of targets(shapes.get(type))) {
      if (!done.has(next)) columns.set(next, Math.max(right, columns.get(next) ?? 0));
    }
  }
  return columns;
}

function placed(
  columns: ReadonlyMap<GraphQLCompositeType, number>,
  shapes: Shapes,
): Map<GraphQLCompositeType, Box> {
  const ends = new Map<number, number>();
  return new Map(
    [...columns].map(([type, column]) => {
      const shape = shapes.get(type) ?? { type, rows: [] };
      const y = ends.get(column) ?? 0;
      ends.set(column, y + heightOf(shape) + SPACE);
      return [type, { ...shape, x: column * (WIDTH + GAP), y }];
    }),
  );
}

function targets(shape: Shape | undefined): GraphQLCompositeType[] {
  return (shape?.rows ?? []).flatMap(({ to }) => to ?? []);
}

function heightOf({ rows }: Shape): number {
  return (rows.length + 1) * ROW + 12;
}

function boxOf(box: Box): Markup {
  const { type, x, y } = box;
  const rows = box.rows.map(
    ({ name, of }, i) => markup`<text x="${x + 12}" y="${y + (i + 2) * ROW - 2}">${name}</text>
<text class="of" x="${x + WIDTH - 12}" y="${y + (i + 2) * ROW - 2}" text-anchor="end">${of}</text>\n`,
  );
  return markup`<a href="#${type.name}"><rect x="${x}" y="${y}" width="${WIDTH}" height="${heightOf(box)}" rx="8"/>
<text class="name" x="${x + 12}" y="${y + ROW - 4}">${type.name}</text>
${rows}</a>\n`;
}

function linesFrom({ rows, x, y }: Box, boxes: ReadonlyMap<GraphQLCompositeType, Box>): Markup[] {
  return rows.flatMap((row, i) => {
    const to = row.to && boxes.get(row.to);
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
    .filter((box) => targets(box).length > 0)
    .map((box) => {
      const names = new Set(targets(box).map(({ name }) => name));
      return `${box.type.name} leads to ${[...names].join(', ')}`;
    });
  return `The types: ${sentences.join('; ')}.`;
}
