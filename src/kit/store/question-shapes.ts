import type { Json } from '../json-text.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { AnyRecord, Value } from './columns.ts';
import type { Database, Read } from './database.ts';
import type { Statement } from './question-sql.ts';

export type Row = readonly [id: number, payload: Json<AnyRecord> | number, ...keys: Value[]];

export type Run = (statement: Statement) => MaybePromise<Row[]>;

// The conditions and the order of a question make a shape; of more shapes the oldest is forgotten.
const MOST_SHAPES = 100;

/** Runs statements of many shapes, each prepared once. */
export function createShapes(db: Database): Run {
  const shapes = new Map<string, Read<Row>>();
  return ({ sql, values }) => {
    const known = shapes.get(sql) ?? db.read(sql, (row: Row) => row);
    shapes.delete(sql);
    shapes.set(sql, known);
    const [oldest] = shapes.keys();
    if (shapes.size > MOST_SHAPES && oldest !== undefined) shapes.delete(oldest);
    return known(...values);
  };
}
