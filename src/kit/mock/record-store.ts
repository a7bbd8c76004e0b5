// Kept as JSON text, so that nobody changes them.
type Entry = { readonly text: string } | 'deleted';
type Members = Record<string, unknown>;

/** The records of one collection, and which ids were deleted. */
export type RecordStore = {
  /** Undefined for an id that was neither kept nor deleted, or so long ago that it was forgotten. */
  get(id: string): Members | 'deleted' | undefined;
  keep(id: string, record: Members): void;
  remove(id: string): void;
  /** The ids that are not deleted, oldest first. */
  ids(): string[];
  /** How many records were made: none has the number of another. */
  count(): number;
};

const MOST_RECORDS = 1000;
const MOST_BYTES = 1_000_000;

/** Bounded: the oldest go. */
export function createRecordStore(): RecordStore {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let made = 0;

  function put(id: string, entry: Entry): void {
    drop(id, entry === 'deleted');
    entries.set(id, entry);
    bytes += sizeOf(id, entry);
    for (const [oldest] of entries) {
      if (entries.size <= MOST_RECORDS && bytes <= MOST_BYTES) break;
      drop(oldest, true);
    }
  }

  /** One that is replaced keeps its place. */
  function drop(id: string, isGone: boolean): void {
    const entry = entries.get(id);
    if (entry) bytes -= sizeOf(id, entry);
    if (isGone) entries.delete(id);
  }

  return {
    get(id) {
      const entry = entries.get(id);
      return entry === undefined || entry === 'deleted' ? entry : JSON.parse(entry.text);
    },
    keep: (id, record) => put(id, { text: JSON.stringify(record) }),
    remove: (id) => put(id, 'deleted'),
    ids: () => [...entries].flatMap(([id, entry]) => (entry === 'deleted' ? [] : [id])),
    count: () => ++made,
  };
}

function sizeOf(id: string, entry: Entry): number {
  return 2 * (id.length + (entry === 'deleted' ? 0 : entry.text.length));
}
