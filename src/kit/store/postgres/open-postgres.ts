import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import { createReadJson, type JsonStore, readJson } from '../read-json.ts';
import type { StoreControls } from '../store.ts';
import type { Opened, StoreOptions } from '../store-options.ts';
import { createTables } from '../store-tables.ts';
import { timed } from '../timed-database.ts';
import { isMistaken } from './postgres-failure.ts';
import { migrate } from './postgres-migrations.ts';
import { connect } from './postgres-statements.ts';

const RETRY_EVERY = 250;
const SAY_EVERY = 30_000;

/** Waits for the database and brings its tables up to date; until then the store is unavailable. */
export function openPostgres(
  url: string,
  options: StoreOptions,
): Opened<StoreControls & JsonStore> {
  let isReady = false;
  const { db, ping, close } = connect(url, { ...options, isReady: () => isReady });
  const closing = new AbortController();

  async function becomeReady() {
    const { mayMigrate, onWaiting } = options;
    const { isNew } = await untilThere(() => migrate(url, mayMigrate, options), onWaiting);
    isReady = true;
    return { isNew };
  }

  async function untilThere<T>(attempt: () => Promise<T>, onWaiting: (cause: unknown) => void) {
    let said = -SAY_EVERY;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const isAway = error instanceof ApiError && error.code === 'unavailable';
        const cause = isAway ? error.cause : error;
        if (!isAway || isMistaken(cause) || closing.signal.aborted) throw cause;
        if (performance.now() - said >= SAY_EVERY) {
          onWaiting(cause);
          said = performance.now();
        }
      }
      await sleep(RETRY_EVERY, undefined, { signal: closing.signal });
    }
  }

  const measured = timed(db, options.onTimed);
  const ready = becomeReady();
  // The caller may await it later; until then a rejection is not unhandled.
  ready.catch(() => {});
  return {
    ready,
    store: {
      ...createTables(measured, options.tables, options.keyLifetime),
      [readJson]: createReadJson(measured, options.tables),
      ping,
      async close() {
        closing.abort();
        await close();
      },
    },
  };
}
