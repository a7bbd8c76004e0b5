/** What an engine's catalogue has, by kind and name. */
export type Catalogue = ReadonlyMap<string, CatalogueEntry>;

export type CatalogueEntry = {
  readonly kind:
    | ('table' | 'column' | 'index' | 'unique index' | 'constraint' | 'trigger')
    | ('view' | 'sequence' | 'function' | 'type');
  /** Indexes and constraints are named after what they do. */
  readonly name: string;
  /** What else of it may change; a default is no part of it. */
  readonly definition: string;
  /** The table of what is a part of one. */
  readonly table?: string;
  /** The columns that an index or a constraint is about. */
  readonly columns?: readonly string[];
  /** Of a column: its default, and what becomes of a row that is written without it. */
  readonly default?: string | undefined;
  readonly without?: 'null' | 'default' | 'refused';
};

export function catalogueOf(entries: readonly CatalogueEntry[]): Catalogue {
  return new Map(entries.map((entry) => [`${entry.kind} ${entry.name}`, entry]));
}

/**
 * What of a change may fail a release that does not know it: all that is gone or changed, and additions that may
 * refuse its writes.
 */
export function contractions(before: Catalogue, after: Catalogue): string[] {
  const gone = [...before].flatMap(([key, { table }]) => {
    // What goes with its table is not said again.
    const isSaid = table !== undefined && !after.has(`table ${table}`);
    return after.has(key) || isSaid ? [] : [`drops the ${key}`];
  });
  const changed = [...before].flatMap(([key, was]) => {
    const is = after.get(key);
    if (!is) return [];
    const hasOther = was.default !== undefined && was.default !== is.default;
    if (was.definition === is.definition && !hasOther) return [];
    const [from, to] = [described(was), described(is)];
    return [`changes the ${key}${from.length + to.length < 100 ? ` from ${from} to ${to}` : ''}`];
  });
  const added = [...after].flatMap(([key, entry]) => {
    const isPart = entry.table !== undefined && before.has(`table ${entry.table}`);
    if (!isPart || before.has(key) || !mayRefuse(entry, before, after)) return [];
    return [`adds the ${key}${entry.kind === 'column' ? ', which needs a value' : ''}`];
  });
  return [...gone, ...changed, ...added];
}

/** Whether an addition to a table may refuse what a release writes that does not know it. */
function mayRefuse(entry: CatalogueEntry, before: Catalogue, after: Catalogue): boolean {
  const { kind, table, columns = [] } = entry;
  const isNew = (column: string) => !before.has(`column ${table}.${column}`);
  const isNull = (column: string) =>
    isNew(column) && after.get(`column ${table}.${column}`)?.without === 'null';
  if (kind === 'column') return entry.without === 'refused';
  // Rows with NULL in a key differ from all others.
  if (kind === 'unique index') return !columns.some(isNull);
  if (kind === 'constraint') return columns.length === 0 || !columns.every(isNew);
  return kind === 'trigger';
}

function described({ definition, default: given }: CatalogueEntry): string {
  return given === undefined ? definition : `${definition} DEFAULT ${given}`;
}
