import fc from 'fast-check';
import { expect } from 'vitest';
import type { WireRequest } from './lane-requests.ts';
import { exchange } from './wire-exchange.ts';

const PIPELINED = 4;

/**
 * Sends about `count` requests, several at once on one connection, to two servers and expects the same bytes.
 * Where answers depend on the past of a server, a failure is not shrunk. Gives what was answered, by status.
 */
export async function compare(
  [one, other]: readonly [string, string],
  requests: fc.Arbitrary<WireRequest>,
  count: number,
  { isStateful = true } = {},
): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(requests, { minLength: 1, maxLength: PIPELINED }),
      async (together) => {
        const [first, second] = await Promise.all([
          exchange(one, together),
          exchange(other, together),
        ]);
        for (const [, status = ''] of first.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        expect(first).toBe(second);
      },
    ),
    { numRuns: Math.ceil(count / 2), endOnFailure: isStateful },
  );
  return statuses;
}
