import { performance } from 'node:perf_hooks';
import type { Exchange, Outcome } from '../http/exchange.ts';
import { contractFiles, probes } from '../http/standard-paths.ts';

/** How an exchange ended, for the log, the metrics and the traces. */
export type ExchangeEnd = {
  readonly operation: string;
  /** `aborted` when the client went away before all was sent. */
  readonly status: number | 'aborted';
  readonly ms: number;
};

export function endOf(exchange: Exchange, { reply, isSent }: Outcome): ExchangeEnd {
  return {
    operation: operationName(exchange),
    status: isSent && reply ? reply.status : 'aborted',
    ms: performance.now() - exchange.start,
  };
}

/**
 * The operation's id, `docs`, `standard` (probes and contract files that the kit answers) or `none`: a bounded set,
 * whatever the client sends.
 */
export function operationName({ operation, match, path }: Exchange): string {
  if (operation) return operation.id;
  if (match) return 'none';
  if (path === '/' || path === '/docs' || path.startsWith('/docs/')) return 'docs';
  return probes.has(path) || contractFiles.has(path) ? 'standard' : 'none';
}
