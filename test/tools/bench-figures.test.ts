// engines: sqlite
import { describe, expect, it } from 'vitest';
import { figure, ratio, verdict } from '../../bench/figures.ts';
import type { Sample } from '../../bench/measure.ts';

describe('A figure of the benchmark', () => {
  it('has the least and the greatest of five pairs as its interval', () => {
    expect(figure([3, 1, 5, 2, 4])).toEqual({ median: 3, low: 1, high: 5, count: 5 });
  });

  it('leaves out as many of more pairs as the sign test allows', () => {
    expect(figure([1, 2, 3, 4, 5, 6, 7, 8])).toMatchObject({ low: 1, high: 8 });
    expect(figure([1, 2, 3, 4, 5, 6, 7, 8, 100])).toMatchObject({ median: 5, low: 2, high: 8 });
  });

  it('compares servers round by round, and gives one ratio for each pair of processes', () => {
    const sample = (cpu: number): Sample => ({
      ...{ cpu, database: 0, busiest: cpu },
      ...{ perSecond: 1, p50: 1, p99: 1, memory: 1 },
    });
    const own = [[sample(2), sample(40), sample(6)], [sample(1)]];
    const other = [[sample(1), sample(2), sample(2)], [sample(1)]];
    const samples = new Map([['read', new Map(Object.entries({ own, other }))]]);
    expect(ratio(samples, 'read', ['own', 'other'])).toMatchObject({ median: 2, low: 1, high: 3 });
  });
});

describe('A verdict', () => {
  it('is given where the interval is on one side of the limit', () => {
    const found = figure([0.8, 0.9, 1, 1.1, 1.2]);
    expect(verdict(found, { most: 1.2 })).toBe('met');
    expect(verdict(found, { below: 1.2 })).toBe('undecided');
    expect(verdict(found, { most: 1 })).toBe('undecided');
    expect(verdict(found, { most: 0.7 })).toBe('not met');
    expect(verdict(found, { least: 0.8 })).toBe('met');
    expect(verdict(found, { least: 1.3 })).toBe('not met');
  });

  it('needs five pairs', () => {
    expect(verdict(figure([1, 1, 1, 1]), { most: 2 })).toBe('undecided');
  });
});
