// slow: compares thousands of requests
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';
import { compare } from '../../support/compare.ts';
import { wireRequests } from '../../support/lane-requests.ts';

const lane = useServer({ RESPONSE_SAMPLE: '0' });
const full = useServer({ FAST_LANE: 'off', RESPONSE_SAMPLE: '1' });
const another = useServer({ FAST_LANE: 'off', SEED_DEMO: 'true' });

// As many as are asked for; a long run has more.
const COUNT = Number(process.env.LANE_REQUESTS ?? 1000);

describe('the fast lane', () => {
  it('answers every request as the full path does, to the byte', async () => {
    const statuses = await compare([lane.url, full.url], wireRequests, COUNT);
    const answered = [...statuses.values()].reduce((sum, each) => sum + each, 0);
    expect(answered).toBeGreaterThanOrEqual(COUNT);
    expect(full.log.filter((line) => line.includes('failed'))).toEqual([]);
  });

  it('is compared so closely that other data are noticed', async () => {
    await expect(compare([lane.url, another.url], wireRequests, 400)).rejects.toThrow();
  });
});
