import type { Value } from './columns.ts';
import type { Database, Make } from './database.ts';
import type { Condition } from './store.ts';

/** A write to the record with this id, where its version meets the condition; no row where it does not. */
export type ConditionalWrite<Row> = (
  id: number,
  condition: Condition | undefined,
  values: readonly Value[],
) => Promise<Row[]>;

type Parts<Row, Columns extends readonly unknown[]> = {
  /** The statement with what follows its WHERE; its values are `$2`, `$3`… */
  readonly sql: (where: string) => string;
  /** How many values it has. */
  readonly values: number;
  readonly make: Make<Row, Columns>;
};

export function conditionalWrite<Row, Columns extends readonly unknown[]>(
  db: Database,
  { sql, values: count, make }: Parts<Row, Columns>,
): ConditionalWrite<Row> {
  const [among, notAmong] = [`$${count + 2}`, `$${count + 3}`];
  const { numbers } = db.dialect;
  const always = db.write(sql('id = $1'), make);
  const matching = db.write(
    sql(`id = $1 AND (CAST(${among} AS text) IS NULL OR version IN (${numbers(among)}))
      AND (CAST(${notAmong} AS text) IS NULL OR version NOT IN (${numbers(notAmong)}))`),
    make,
  );
  return async (id, condition, values) => {
    if (!condition) return always(id, ...values);
    if (condition.notAmong === 'any') return [];
    return matching(id, ...values, ...versions(condition));
  };
}

function versions({ among, notAmong }: Condition): (string | null)[] {
  return [among, notAmong].map((each) => (each ? JSON.stringify(each) : null));
}
