import { ApiError } from '../errors.ts';
import { json } from '../json-text.ts';
import type { StoreControls } from '../store/store.ts';

/** Whether the process is alive, and whether it should be sent requests. */
export function readinessHandlers(store: Pick<StoreControls, 'ping'>, isDraining: () => boolean) {
  return {
    getHealth: () => ({ status: 200, headers: {}, body: json({ status: 'ok' as const }) }) as const,

    async getReadiness() {
      if (isDraining()) throw new ApiError('unavailable');
      await store.ping();
      return { status: 200, headers: {}, body: json({ status: 'ready' as const }) } as const;
    },
  };
}
