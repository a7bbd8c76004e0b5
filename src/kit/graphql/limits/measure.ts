import { type Carrier, extentOf } from './node-size.ts';

/** How large a definition is with its fragments filled in. */
export type Measure = {
  readonly depth: number;
  readonly cost: number;
  /** What one object of the answer costs to make: see `answerCost`. What its lists hold is not in it. */
  readonly perObject: number;
  readonly aliases: number;
  readonly directives: number;
  /** What is asked under `__schema` and `__type`, which depth and cost leave out. */
  readonly introspectionDepth: number;
  readonly introspectionCost: number;
  /** Levels of any kind: fields, fragments, and lists and objects in literals. */
  readonly levels: number;
  /** Parts as written: what a fragment holds counts where it is defined, not where it is spread. */
  readonly size: number;
  /** The name of a fragment that contains itself. */
  readonly endless: string | undefined;
};

export const nothing: Measure = {
  depth: 0,
  cost: 0,
  perObject: 0,
  aliases: 0,
  directives: 0,
  introspectionDepth: 0,
  introspectionCost: 0,
  levels: 0,
  size: 0,
  endless: undefined,
};

/** The measure of a node with what it carries, given that of what it encloses. */
export function around(node: Carrier, inner: Measure): Measure {
  const extent = extentOf(node);
  return {
    depth: inner.depth,
    cost: inner.cost,
    perObject: inner.perObject,
    aliases: inner.aliases,
    directives: inner.directives + extent.directives,
    introspectionDepth: inner.introspectionDepth,
    introspectionCost: inner.introspectionCost,
    levels: 1 + Math.max(inner.levels, extent.levels),
    size: 1 + inner.size + extent.size,
    endless: inner.endless,
  };
}

/** The measure of parts that stand next to each other. */
export function total(parts: Iterable<Measure>): Measure {
  const sum: { -readonly [Key in keyof Measure]: Measure[Key] } = { ...nothing };
  for (const part of parts) {
    sum.depth = Math.max(sum.depth, part.depth);
    sum.cost += part.cost;
    sum.perObject += part.perObject;
    sum.aliases += part.aliases;
    sum.directives += part.directives;
    sum.introspectionDepth = Math.max(sum.introspectionDepth, part.introspectionDepth);
    sum.introspectionCost += part.introspectionCost;
    sum.levels = Math.max(sum.levels, part.levels);
    sum.size += part.size;
    sum.endless ??= part.endless;
  }
  return sum;
}
