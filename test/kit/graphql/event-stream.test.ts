import { getEventListeners } from 'node:events';
import type { ExecutionResult } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import {
  acceptsEvents,
  eventReply,
  eventsOf,
  singleEvent,
} from '../../../src/kit/graphql/event-stream.ts';
import { fakeTimers, realTime, settlesAfter, turns } from '../../support/fake-time.ts';

const PING = ':\n\n';
const next = (data: number) => `event: next\ndata: {"data":{"n":${data}}}\n\n`;
const complete = 'event: complete\ndata:\n\n';

/** Results that the test gives one by one. */
function results() {
  let settle = Promise.withResolvers<IteratorResult<ExecutionResult>>();
  let asked = 0;
  return {
    asked: () => asked,
    give(n: number) {
      settle.resolve({ done: false, value: { data: { n } } });
    },
    end: () => settle.resolve({ done: true, value: undefined }),
    fail: (error: Error) => settle.reject(error),
    next() {
      asked++;
      settle = Promise.withResolvers();
      return settle.promise;
    },
  };
}

const NEVER = 2 ** 31 - 1;

describe('A stream of events', () => {
  it('begins at once, has each result when it is there, and says that it is over', async () => {
    const { signal } = new AbortController();
    const source = results();
    const events = eventsOf(source, signal, NEVER);
    expect((await events.next()).value).toBe(PING);
    for (const n of [1, 2]) {
      const event = events.next();
      source.give(n);
      expect(await event).toEqual({ done: false, value: next(n) });
      // Nothing of it stays at the signal, and nothing is read ahead.
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      expect(source.asked()).toBe(n);
    }
    const last = events.next();
    source.end();
    expect((await last).value).toBe(complete);
    expect((await events.next()).done).toBe(true);
  });

  it('has pings while there is no result, which is asked for once', async () => {
    const { signal } = new AbortController();
    const source = results();
    const events = eventsOf(source, signal, 1);
    for (let i = 0; i < 4; i++) expect((await events.next()).value).toBe(PING);
    expect(source.asked()).toBe(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    source.give(7);
    expect((await events.next()).value).toBe(next(7));
  });

  it('has a ping every twelve seconds, where connections without traffic are closed after thirty', async () => {
    fakeTimers();
    try {
      const { signal } = new AbortController();
      const source = results();
      const events = eventsOf(source, signal);
      await events.next();
      for (let i = 0; i < 2; i++) {
        const event = events.next();
        // Its timer is set.
        await turns(10);
        expect(await settlesAfter(12_000, event)).toBe(true);
        expect((await event).value).toBe(PING);
      }
      source.give(1);
      expect((await events.next()).value).toBe(next(1));
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      realTime();
    }
  });

  it('ends without a word when it is aborted, while it waits or between events', async () => {
    const waiting = new AbortController();
    const events = eventsOf(results(), waiting.signal, NEVER);
    await events.next();
    const event = events.next();
    waiting.abort();
    expect(await event).toEqual({ done: true, value: undefined });
    expect(getEventListeners(waiting.signal, 'abort')).toEqual([]);
    const between = new AbortController();
    const source = results();
    const others = eventsOf(source, between.signal, NEVER);
    await others.next();
    between.abort();
    expect((await others.next()).done).toBe(true);
    expect(source.asked()).toBe(0);
  });

  it('fails with its source', async () => {
    const { signal } = new AbortController();
    const source = results();
    const events = eventsOf(source, signal, NEVER);
    await events.next();
    const event = events.next();
    source.fail(new Error('broken'));
    await expect(event).rejects.toThrow('broken');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('may have a single result', async () => {
    const events: string[] = [];
    for await (const event of singleEvent({ data: { n: 1 } })) events.push(event);
    expect(events).toEqual([next(1), complete]);
  });

  it('is not kept back on its way', () => {
    expect(eventReply(singleEvent({}))).toMatchObject({
      status: 200,
      headers: { 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
      type: 'text/event-stream; charset=utf-8',
    });
  });
});

describe('An Accept header', () => {
  it.each([
    [undefined, 'no'],
    ['', 'no'],
    ['*/*', 'no'],
    ['text/*', 'no'],
    ['application/json', 'no'],
    ['text/event-streams', 'no'],
    ['text/event-stream', 'only'],
    ['TEXT/Event-Stream', 'only'],
    [' text/event-stream ;q=0.5', 'only'],
    ['text/html, text/event-stream', 'only'],
    ['text/event-stream, application/xml', 'only'],
    ['text/event-stream, application/jsonp', 'only'],
    ['text/event-stream, */*', 'also'],
    ['application/json;q=0.1, text/event-stream', 'also'],
    ['text/event-stream,Application/JSON', 'also'],
    ['text/event-stream, application/graphql-response+json', 'also'],
    ['text/event-stream, application/*', 'also'],
    ['text/event-stream, text/html, */*;q=0.1', 'also'],
    ['text/event-stream, application/json;q=0', 'only'],
    ['text/event-stream, application/graphql-response+json, application/json;q=0', 'also'],
    ['text/event-stream, */*;q=0', 'only'],
    ['text/event-stream;q=0', 'no'],
    ['text/event-stream;q=0, */*', 'no'],
    ['text/event-stream;q=0.001, */*', 'also'],
    ['text/event-stream;charset=UTF-8', 'only'],
    ['text/event-stream;charset=latin1', 'no'],
    ['text/html;of="text/event-stream, x"', 'no'],
  ])('%s means a stream: %s', (accept, expected) => {
    expect(acceptsEvents(accept)).toBe(expected);
  });
});
