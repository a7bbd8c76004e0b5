// long: compares hundreds of requests for each of 60 contracts
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSampledRequests, withCredentials } from '../../src/kit/cli/test/sampled-requests.ts';
import type { Contract } from '../../src/kit/contract/contract.ts';
import { distinctContracts } from '../../tools/support/foreign-contracts.ts';
import { compare } from '../support/compare.ts';
import { requestsOf } from '../support/contract-requests.ts';
import { serveForeign } from '../support/foreign-server.ts';
import type { WireRequest } from '../support/lane-requests.ts';

// As many as are asked for; a long run has more.
const COUNT = Number(process.env.LANE_REQUESTS ?? 300);
// Those that are refused, and those without operations.
const others = /workshop\/post\.json|schema-validation-local|workshop\/title\.json|webhooks\.json/;

describe.each(distinctContracts().filter(({ name }) => !others.test(name)))('$name', ({ file }) => {
  it('is answered by the fast lane as by the full path, to the byte', async () => {
    const servers = await serveForeign(file);
    const { contract, lane, full } = servers;
    const statuses = await compare([lane, full], anyRequest(contract), COUNT, {
      isStateful: false,
    }).finally(servers.stop);
    expect([...statuses.values()].reduce((sum, each) => sum + each, 0)).toBeGreaterThan(COUNT / 2);
    // A mock may say why it cannot answer.
    const failures = servers.log.filter((line) => !/mock cannot make|only interim/.test(line));
    expect(failures).toEqual([]);
  });
});

/** Requests of every operation, with its credentials: valid ones, near misses and others. */
function anyRequest(contract: Contract): fc.Arbitrary<WireRequest> {
  const sampled = createSampledRequests(contract);
  const each = contract.operations.map((operation) => {
    const { valid, invalid } = sampled(operation);
    const made = requestsOf({ ...contract, operations: [operation] });
    const secured = made.map(withCredentials(contract, operation));
    const known = [...valid, ...invalid];
    return known.length === 0 ? secured : fc.oneof(secured, fc.constantFrom(...known));
  });
  return fc.oneof(...each);
}
