import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import { createSubscriptionPlaces } from '../../../src/kit/graphql/subscription-places.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What a place needs of a response. */
function response(state: object = {}): ServerResponse {
  const parts = { closed: false, destroyed: false, ...state };
  return Object.assign(new EventEmitter(), parts) as unknown as ServerResponse;
}

const bounds = { most: 2, life: 1000 };

it('gives a place to so many, and again when one of them has closed', () => {
  const draining = new AbortController();
  const take = createSubscriptionPlaces(bounds, draining.signal);
  const responses = [response(), response()];
  const [first, second] = responses.map((each) => present(take(each)));
  expect(take(response())).toBeUndefined();
  responses[0]?.emit('close');
  expect([first?.signal.aborted, second?.signal.aborted]).toEqual([true, false]);
  expect(take(response())).toBeDefined();
  expect(take(response())).toBeUndefined();
});

it('leaves the place of a response that is closed already', () => {
  const take = createSubscriptionPlaces({ ...bounds, most: 1 }, new AbortController().signal);
  for (const state of [{ closed: true }, { destroyed: true }]) {
    expect(take(response(state))?.signal.aborted).toBe(true);
  }
  expect(vi.getTimerCount()).toBe(0);
  expect(take(response())?.signal.aborted).toBe(false);
});

it('ends all when the server drains, and gives no more', () => {
  const draining = new AbortController();
  const take = createSubscriptionPlaces(bounds, draining.signal);
  const places = [response(), response()].map((each) => present(take(each)));
  draining.abort();
  expect(places.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  const later = createSubscriptionPlaces(bounds, draining.signal);
  expect(later(response())).toBeUndefined();
});

it('ends one when its life in milliseconds is over, and its place is free when it has closed', () => {
  const take = createSubscriptionPlaces({ ...bounds, most: 1 }, new AbortController().signal);
  const old = response();
  const { signal } = present(take(old));
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
  expect(take(response())).toBeUndefined();
  old.emit('close');
  const next = response();
  expect(present(take(next)).signal.aborted).toBe(false);
  next.emit('close');
  expect(vi.getTimerCount()).toBe(0);
});
