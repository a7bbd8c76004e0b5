import { createHash } from 'node:crypto';
import { type PoolClient, type QueryResult, types } from 'pg';
import { ApiError } from '../../errors.ts';
import { createSemaphore } from '../../semaphore.ts';
import type { Value } from '../columns.ts';
import type { Database, Make, Steps } from '../database.ts';
import { postgresAddress } from '../database-address.ts';
import type { StoreOptions } from '../store-options.ts';
import { groupedInsert, groupedRead, type Prepare } from './grouped-statements.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { apiError, isCutOff, isReadOnly, isRolledBack, isTimeout } from './postgres-failure.ts';
import { createReplicaReads } from './replica-reads.ts';
import { currentPosition, currentPositionSql, positionIn } from './wal-position.ts';
import { createWriterPool } from './writer-pool.ts';

const STATEMENT_TIMEOUT = 5000;
// Longer than STATEMENT_TIMEOUT, whose error tells that nothing was changed: for a server that hangs.
export const ANSWER_TIMEOUT = 6000;
const PING_TIMEOUT = 1000;
// Each connection keeps every named statement. Lists are asked for in many shapes: further ones have no name.
const MOST_NAMES = 1000;

export type Connected = {
  readonly db: Database;
  ping(): Promise<void>;
  close(): Promise<void>;
};

type Options = Pick<StoreOptions, 'poolSize' | 'onStatement' | 'listTimeout' | 'replicas'> & {
  /** Whether the tables are there. */
  readonly isReady: () => boolean;
};

/** A pool that connects on demand. */
export function connect(url: string, options: Options): Connected {
  const { poolSize, onStatement, isReady, listTimeout } = options;
  const names = new Map<string, string>();
  // A name is used on every connection, or on none.
  const hasNames = [url, options.replicas?.url ?? url].every(
    (each) => postgresAddress(each).hasNames,
  );
  const config = {
    application_name: 'accord',
    max: poolSize,
    statement_timeout: STATEMENT_TIMEOUT,
    query_timeout: ANSWER_TIMEOUT,
    keepAlive: true,
    types: { getTypeParser },
  };
  // The position after a write is asked for in the same round trip.
  const pool = createWriterPool(url, { ...config, ...(options.replicas && { pipeline: true }) });
  const current = options.replicas?.current ?? (() => undefined);
  const replicas =
    options.replicas &&
    createReplicaReads(options.replicas, config, () =>
      withClient((client) => currentPosition(client, PING_TIMEOUT)),
    );

  async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (!isReady()) throw new ApiError('unavailable');
    return pool.use(work);
  }

  // Named by digest: behind a pooler instances share connections, where a name must mean one text.
  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || !hasNames || names.size >= MOST_NAMES) return known;
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
    return name;
  }

  async function run<Row>(
    client: PoolClient,
    text: string,
    make: Make<Row, never>,
    values: readonly (Value | readonly Value[])[],
  ): Promise<Row[]> {
    onStatement();
    const name = nameOf(text);
    const query = { ...(name && { name }), text, values: [...values], rowMode: 'array' as const };
    // `make` was given with the statement, and takes its columns.
    const { rows } = await client.query(query);
    return (rows as never[]).map(make);
  }

  function runSteps<T>(steps: Steps<T>): Promise<T> {
    return withClient(async (client) => {
      await client.query('BEGIN');
      try {
        let next = steps.next();
        while (!next.done) {
          const { statement, make, values } = next.value;
          next = steps.next(await run(client, statement, make, values));
        }
        await commit(client);
        return next.value;
      } catch (error) {
        if (!isCutOff(error)) await client.query('ROLLBACK');
        throw error;
      }
    });
  }

  async function commit(client: PoolClient): Promise<void> {
    const reading = current();
    if (!reading) {
      await client.query('COMMIT');
      return;
    }
    // Of several statements in one text there is a list of results, which their type does not say.
    const results: unknown = await client.query(`COMMIT; ${currentPositionSql}`);
    const [, position] = results as [QueryResult, QueryResult];
    reading.onWrite(positionIn(position));
  }

  /** Runs a statement that is a transaction of its own. */
  async function runAlone<Row>(
    client: PoolClient,
    text: string,
    make: Make<Row, never>,
    values: readonly (Value | readonly Value[])[],
  ): Promise<Row[]> {
    const reading = current();
    const running = run(client, text, make, values);
    if (!reading) return running;
    // The connection is not released before both are answered.
    const [rows, position] = await Promise.allSettled([running, currentPosition(client)]);
    if (rows.status === 'rejected') throw rows.reason;
    if (position.status === 'rejected') throw position.reason;
    reading.onWrite(position.value);
    return rows.value;
  }

  function attempt<T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> {
    const isSafeToRepeat = (error: unknown) =>
      isRolledBack(error) || isReadOnly(error) || (kind === 'read' && isLost(error));
    return work()
      .catch((error: unknown) => {
        if (isSafeToRepeat(error)) return work();
        throw error;
      })
      .catch((error: unknown) => {
        throw apiError(error, kind);
      });
  }

  const fromWriter: Prepare =
    (kind, text, make) =>
    (...values) => {
      const work = kind === 'read' ? run : runAlone;
      return attempt(kind, () => withClient((client) => work(client, text, make, values)));
    };

  const prepare: Prepare = (kind, text, make) => {
    const ask = fromWriter(kind, text, make);
    if (!replicas || kind === 'write') return ask;
    return (...values) =>
      replicas
        .read(
          (client) => run(client, text, make, values),
          () => ask(...values),
        )
        .catch((error: unknown) => {
          throw apiError(error);
        });
  };

  return {
    db: {
      read: (sql, make) => prepare('read', sql, make),
      readOne(sql, types, make) {
        // With replicas a request has a position of its own, and shares no statement.
        if (!replicas) return groupedRead(prepare, sql, types, make);
        const read = prepare('read', sql, make);
        return async (...values) => (await read(...values))[0];
      },
      write: (sql, make) => prepare('write', sql, make),
      insert(table, row) {
        if (row.plain && !replicas) return groupedInsert(prepare, table, row.plain);
        const sql = `INSERT INTO ${table} ${row.sql} RETURNING id`;
        const insert = prepare('write', sql, ([id]: [number]) => id);
        return async (...values: Value[]) => (await insert(...values))[0];
      },
      writeAll: (steps) => attempt('write', () => runSteps(steps())),
      dialect: postgresDialect,
      // The other connections are for everybody else.
      scans: { enter: createSemaphore(Math.ceil(poolSize / 2)), longest: listTimeout },
    },
    async ping() {
      const query = { text: 'SELECT 1', query_timeout: PING_TIMEOUT };
      await withClient((client) => client.query(query)).catch((error: unknown) => {
        throw apiError(error);
      });
    },
    async close() {
      await Promise.all([pool.end(), replicas?.end()]);
    },
  };
}

function isLost(error: unknown): boolean {
  return isCutOff(error) && !isTimeout(error);
}

// Ids and versions are safe integers; the driver would give bigint as text.
const getTypeParser: typeof types.getTypeParser = (oid, format) =>
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);
