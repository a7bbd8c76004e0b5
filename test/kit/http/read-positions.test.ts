import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { createReadPositions } from '../../../src/kit/http/read-positions.ts';
import type { Reading } from '../../../src/kit/store/replica-reading.ts';

const LAG = 5000;
const position = (number: number) => number.toString(16).toUpperCase().padStart(16, '0');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Sent = { readonly by?: string; readonly on?: Socket; readonly demands?: string };

/** What becomes of requests by clients with credentials, on connections. */
function positions() {
  const known = createReadPositions(LAG, ({ query }) => query || undefined);
  const within = ({ by = '', on = Object({}), demands }: Sent, act: (reading: Reading) => void) => {
    const headers: string[] = [];
    const sent = demands === undefined ? {} : { 'accord-position': demands };
    const exchange: Exchange = Object({
      request: { socket: on, headers: sent },
      headers,
      query: by,
    });
    known.within(exchange, () => {
      const reading = known.current();
      if (reading) act(reading);
    });
    return headers;
  };
  const least = (sent: Sent = {}) => {
    let found: string | undefined;
    within(sent, (reading) => {
      found = reading.least;
    });
    return found;
  };
  const write = (number: number, sent: Sent) =>
    within(sent, (reading) => reading.onWrite(position(number)));
  return { known, within, least, write };
}

describe('a read', () => {
  it.each([
    [undefined, ''],
    [position(7), position(7)],
    ['00000000000000ab', '00000000000000AB'],
    ['', 'G'],
    ['7', 'G'],
    [`${position(7)}0`, 'G'],
    ['000000000000000G', 'G'],
  ])('that demands the position %j waits for %j', (demands, least) => {
    expect(positions().least(demands === undefined ? {} : { demands })).toBe(least);
  });

  it('may be answered by a replica when that is told, and not before', () => {
    const { known, within } = positions();
    const told: boolean[] = [];
    within({}, (reading) => {
      told.push(reading.mayLag);
      known.mayLag();
      told.push(reading.mayLag);
    });
    expect(told).toEqual([false, true]);
    expect(known.current()).toBeUndefined();
    expect(() => known.mayLag()).not.toThrow();
  });

  it('sees what was written on its connection, or with its credentials', () => {
    const { least, write } = positions();
    const one: Socket = Object({});
    const other: Socket = Object({});
    write(5, { on: one, by: 'a' });
    write(7, { by: 'b' });
    write(6, { on: other });
    expect(least({ on: one })).toBe(position(5));
    expect(least({ by: 'a' })).toBe(position(5));
    expect(least({ by: 'b' })).toBe(position(7));
    expect(least({ on: one, by: 'b' })).toBe(position(7));
    expect(least({ on: other, by: 'a' })).toBe(position(6));
    expect(least({ on: other, demands: position(9) })).toBe(position(9));
    expect(least({ on: other, demands: position(1) })).toBe(position(6));
    expect([least(), least({ by: 'c' })]).toEqual(['', '']);
  });
});

describe('a write', () => {
  it('tells its position, and the last of several', () => {
    const { within, write } = positions();
    expect(write(5, {})).toEqual(['Accord-Position', position(5)]);
    const headers = within({}, (reading) => {
      reading.onWrite(position(5));
      expect(reading.least).toBe(position(5));
      reading.onWrite(position(8));
      expect(reading.least).toBe(position(8));
    });
    expect(headers).toEqual(['Accord-Position', position(8)]);
  });

  it('is known by credentials for as long as a replica may lag', () => {
    const { least, write } = positions();
    write(1, { by: 'a' });
    vi.advanceTimersByTime(LAG);
    write(2, { by: 'b' });
    expect(least({ by: 'a' })).toBe(position(1));
    vi.advanceTimersByTime(1);
    write(3, { by: 'c' });
    expect([least({ by: 'a' }), least({ by: 'b' })]).toEqual(['', position(2)]);
  });

  it('is known from the last one on', () => {
    const { least, write } = positions();
    write(1, { by: 'a' });
    vi.advanceTimersByTime(10);
    write(2, { by: 'b' });
    vi.advanceTimersByTime(90);
    write(3, { by: 'a' });
    vi.advanceTimersByTime(LAG - 50);
    write(4, { by: 'c' });
    expect([least({ by: 'a' }), least({ by: 'b' })]).toEqual([position(3), '']);
  });
});
