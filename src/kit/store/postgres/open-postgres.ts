import { setTimeout as sleep } from 'node:timers/promises';
import { createRecords } from '../../../api/records.ts';
import { ApiError } from '../../errors.ts';
import type { Opened, StoreOptions } from '../store.ts';
import { timed } from '../timed-database.ts';
import { isMistaken } from './postgres-failure.ts';
import { migrate } from './postgres-migrations.ts';
import { connect } from './postgres-statements.ts';

const RETRY_EVERY = 250;
const SAY_EVERY = 30_000;

/** Waits for the database and brings its tables up to date; until then the store is unavailable. */
export function openPostgres(url: string, options: StoreOptions): Opened {
  let isReady = false;
  const { db, ping, close } = connect(url, { ...options, isReady: () => isReady });
  const closing = new AbortController();

  async function becomeReady() {
    const { mayMigrate, migrations, onWaiting } = options;
    const { isNew } = await untilThere(() => migrate(url, mayMigrate, migrations), onWaiting);
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

  const ready = becomeReady();
  // Whoever opened the store hears of it; nobody has to listen at once.
  ready.catch(() => {});
  return {
    ready,
    store: {
      ...createRecords(timed(db, options.onTimed), options.keyLifetime),
      ping,
      async close() {
        closing.abort();
        await close();
      },
    },
  };
}
