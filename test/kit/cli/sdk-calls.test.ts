// engines: sqlite
import { describe, expect, it, vi } from 'vitest';
import { Call } from '../../../src/kit/cli/sdk/typescript/runtime/call.ts';
import { ApiError } from '../../../src/kit/cli/sdk/typescript/runtime/errors.ts';
import {
  GraphqlEndpoint,
  GraphqlRequestError,
  TypedDocument,
} from '../../../src/kit/cli/sdk/typescript/runtime/graphql.ts';
import { PagedList } from '../../../src/kit/cli/sdk/typescript/runtime/pages.ts';
import { update } from '../../../src/kit/cli/sdk/typescript/runtime/update.ts';
import { fakeTimers, realTime, settlesAfter, until } from '../../support/fake-time.ts';
import { type Answer, get, json, soon, status, talking } from '../../support/sdk-talk.ts';

describe('a GraphQL operation', () => {
  const endpoint = (answers: Answer[]) => {
    const { transport, sent } = talking(answers);
    return { graphql: new GraphqlEndpoint(transport, 'http://x/graphql'), sent };
  };
  const unavailable = { errors: [{ message: 'a', extensions: { code: 'UNAVAILABLE' } }] };

  it('is posted with its variables', async () => {
    const { graphql, sent } = endpoint([json({ data: { a: 1 } }), json({ data: { a: 2 } })]);
    expect(await graphql.execute('query A { a }', { b: 1 })).toEqual({ a: 1 });
    const document = new TypedDocument<{ a: number }, Record<string, never>>('{ a }');
    const reply = await graphql.execute(document).withResponse();
    expect(reply).toMatchObject({ data: { a: 2 }, status: 200, headers: {} });
    expect(sent.map(({ init }) => init.body)).toEqual([
      '{"query":"query A { a }","variables":{"b":1}}',
      '{"query":"{ a }"}',
    ]);
    expect(sent[0]).toMatchObject({ url: 'http://x/graphql', init: { method: 'POST' } });
    expect(sent[0]?.headers.get('accept')).toBe(
      'application/graphql-response+json, application/json',
    );
    expect(sent[0]?.headers.get('content-type')).toBe('application/json');
  });

  it('that fails has its errors and what was found', async () => {
    const errors = [{ message: 'a', extensions: { code: 'NOT_FOUND' } }, { message: 'b' }];
    const { graphql } = endpoint([json({ data: null, errors }, { status: 400 })]);
    const error = await graphql.execute('mutation Make { a }').catch((thrown: unknown) => thrown);
    if (!(error instanceof GraphqlRequestError)) throw new Error('it has not failed');
    expect(error).toMatchObject({
      message: 'Make: a, b',
      operation: 'Make',
      status: 400,
      errors,
      data: null,
    });
    expect([error.name, error.code]).toEqual(['GraphqlRequestError', 'NOT_FOUND']);
    expect(new GraphqlRequestError('a', 200, [], null).code).toBe(undefined);
  });

  it('that has no result has no answer', async () => {
    const { graphql } = endpoint([new Response('<p>'), json({}), json({ errors: 7 }), json([1])]);
    const message = 'the operation got no answer: 200 without a GraphQL result';
    for (let i = 0; i < 4; i++) {
      expect(await graphql.execute('{ a }').result()).toMatchObject({
        ok: false,
        error: { message },
      });
    }
  });

  it('that its caller ends has no result either', async () => {
    const { graphql, sent } = endpoint([]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(graphql.execute('{ a }', {}, { signal }).result()).rejects.toThrow('enough');
    expect(sent).toEqual([]);
  });

  it('is sent again while the server is not available, unless it writes', async () => {
    const busy = () => json(unavailable, { headers: soon });
    const read = endpoint([busy(), json({ data: 1 })]);
    expect(await read.graphql.execute('{ a }')).toBe(1);
    const speaks = endpoint([
      json({ data: 'UNAVAILABLE' }),
      json({ data: 1, errors: [{ message: 'UNAVAILABLE' }] }),
    ]);
    expect(await speaks.graphql.execute('{ a }')).toBe('UNAVAILABLE');
    await expect(speaks.graphql.execute('{ a }')).rejects.toThrow('UNAVAILABLE');
    for (const word of ['mutation M { a }', 'subscription S { a }']) {
      const { graphql, sent } = endpoint([busy()]);
      expect(await graphql.execute(word).result()).toMatchObject({ ok: false });
      expect(sent.length).toBe(1);
    }
  });
});

describe('a call', () => {
  it('is a promise', async () => {
    const reply = { data: 1, status: 200, headers: {}, rawHeaders: new Headers() };
    let ends = 0;
    const call = new Call(Promise.resolve(reply));
    expect(await call.finally(() => ends++)).toBe(1);
    expect(await call.then((data) => data + 1)).toBe(2);
    const failing = new Call(Promise.reject(new Error('a')));
    expect(await failing.catch(() => 'caught')).toBe('caught');
    expect(await failing.result()).toMatchObject({ ok: false });
    await expect(failing.finally(() => ends++)).rejects.toThrow('a');
    expect(ends).toBe(2);
    expect(String(call)).toBe('[object Call]');
  });
});

describe('a list', () => {
  it('is fetched page by page', async () => {
    const asked: object[] = [];
    const list = new PagedList<number>(
      async (query) => {
        asked.push(query);
        const link = asked.length < 3 ? `</a?after=${asked.length}>; rel="next"` : undefined;
        return {
          data: [asked.length, 0],
          status: 200,
          headers: { link },
          rawHeaders: new Headers(),
        };
      },
      { limit: 2 },
    );
    expect(await list.toArray()).toEqual([1, 0, 2, 0, 3, 0]);
    expect(asked).toEqual([{ limit: 2 }, { after: '1' }, { after: '2' }]);
  });
});

describe('an update', () => {
  const attempts = async (stale: number, code = 412) => {
    let [reads, writes] = [0, 0];
    const changed = await update(
      async () => {
        const headers = { etag: `"${++reads}"` };
        return { data: reads, status: 200, headers, rawHeaders: new Headers() };
      },
      async (input: string, etag) => {
        if (++writes <= stale) throw new ApiError('put', code, undefined, new Headers());
        expect([input, etag]).toEqual([`${reads} changed`, `"${reads}"`]);
        return 100;
      },
      async (current) => `${current} changed`,
    ).catch((error) => error.status);
    return [changed, reads, writes];
  };

  it('is made again while somebody else is faster, ten times', async () => {
    expect(await attempts(0)).toEqual([100, 1, 1]);
    expect(await attempts(9)).toEqual([100, 10, 10]);
    expect(await attempts(10)).toEqual([412, 10, 10]);
    expect(await attempts(1, 409)).toEqual([409, 1, 1]);
  });
});

describe('a client that is told nothing', () => {
  const busy = (seconds: number) => status(503, { 'retry-after': String(seconds) });

  it('gives each attempt 30 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const given = async (client: object, options: object) => {
      timeout.mockClear();
      await talking([status(503, soon), json(1)], client).transport.call(get, { options });
      return timeout.mock.calls.flat();
    };
    expect(await given({}, {})).toEqual([30_000, 30_000]);
    expect(await given({ timeout: 7000 }, {})).toEqual([7000, 7000]);
    expect(await given({ timeout: 7000 }, { timeout: 2000 })).toEqual([2000, 2000]);
    timeout.mockRestore();
  });

  it('waits for a minute before it asks again, and no longer', async () => {
    fakeTimers();
    try {
      for (const [client, seconds] of [
        [{}, 60],
        [{ maxDelay: 61_000 }, 61],
      ] as const) {
        const { transport } = talking([busy(seconds), json(1)], client);
        const call = transport.call(get).then(Number);
        await until(() => vi.getTimerCount() > 0);
        expect(await settlesAfter(seconds * 1000, call)).toBe(true);
        expect(await call).toBe(1);
      }
      const date = 'Sun, 15 Nov 2026 12:00:00 GMT';
      vi.spyOn(Date, 'now').mockReturnValue(Date.parse(date) - 60_001);
      for (const answer of [busy(61), status(503, { 'retry-after': date })]) {
        const { transport, sent } = talking([answer]);
        await expect(transport.call(get)).rejects.toThrow('503');
        expect(sent.length).toBe(1);
      }
    } finally {
      realTime();
    }
  });
});
