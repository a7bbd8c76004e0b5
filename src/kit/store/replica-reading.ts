/** How far the log of the writer (WAL) had come: 16 hexadecimal digits, so that they compare as texts. */
export type Position = string;

/** What the reads of one request may be answered by, and who is told of its writes. */
export type Reading = {
  /** Whether a replica may answer. */
  mayLag: boolean;
  /** How far a replica must have come to answer; empty is anywhere. */
  least: Position;
  /** Called after each commit. */
  onWrite(position: Position): void;
};

/** The replicas of a PostgreSQL database that answer reads. */
export type ReplicaOptions = {
  /** An address with a host for each of them. */
  readonly url: string;
  /** One that is further behind the writer than so many milliseconds is not asked. */
  readonly lag: number;
  /** The request that is answered just now; other reads are the writer's. */
  readonly current: () => Reading | undefined;
  /** Told of each read. */
  readonly onRead: (from: 'replica' | 'writer') => void;
  /** Told once when the host of an address cannot be reached any more, and once when it can be again. */
  readonly onLost: (address: string, cause: unknown) => void;
  readonly onBack: (address: string) => void;
};

export function later(one: Position, other: Position): Position {
  return one > other ? one : other;
}
