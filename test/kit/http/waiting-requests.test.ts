import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPipelining } from '../../../src/kit/http/pipelining.ts';

const MOST_WAITING = 16;
const MOST_BEYOND = 10_000;
const AT_ONCE = 4;

/** A connection as node:http would describe it. */
function connected() {
  const emitter = Object.assign(new EventEmitter().setMaxListeners(0), { writable: true });
  const acts: string[] = [];
  return Object.assign(emitter, {
    acts,
    pause: () => acts.push('pause'),
    resume: () => acts.push('resume'),
    destroy: () => acts.push('destroy'),
  });
}
type Fake = ReturnType<typeof connected>;

function pipelined() {
  const answered: [IncomingMessage, ServerResponse, object][] = [];
  const pipelining = createPipelining(
    () => ({ own: 'state' }),
    (...given) => answered.push(given),
  );
  /** A request on a connection; its response has the connection only when its turn has come. */
  const take = (socket: Fake, { isTurn = false, complete = true } = {}) => {
    const request: IncomingMessage = Object({ socket, complete });
    const members = { socket: isTurn ? socket : null, req: request, headersSent: false };
    const response = Object.assign(new EventEmitter(), members);
    pipelining.take(request, Object(response));
    return { request, response };
  };
  const connectionOf = (socket: Fake) => pipelining.connection(Object(socket));
  return { pipelining, answered, take, connectionOf };
}

describe('requests on one connection', () => {
  it('are answered at once where it is their turn', () => {
    const { take, answered, connectionOf } = pipelined();
    const socket = connected();
    const { request, response } = take(socket, { isTurn: true });
    expect(answered).toEqual([[request, response, connectionOf(socket)]]);
    expect(connectionOf(socket)).toEqual({
      own: 'state',
      latest: response,
      waiting: 0,
      answered: 0,
    });
    expect(socket.acts).toEqual([]);
  });

  it('are read no further while 16 wait, and again when 15 do', async () => {
    const { take, answered, connectionOf } = pipelined();
    const socket = connected();
    const waiting = Array.from({ length: MOST_WAITING - 1 }, () => take(socket));
    socket.emit('resume');
    expect(socket.acts).toEqual([]);
    const last = take(socket);
    expect(socket.acts).toEqual(['pause']);
    // node:http resumes it after each response.
    socket.emit('resume');
    expect(socket.acts).toEqual(['pause', 'pause']);
    expect([answered.length, connectionOf(socket).waiting]).toEqual([0, MOST_WAITING]);
    waiting[0]?.response.emit('socket');
    await setImmediate();
    expect(socket.acts).toEqual(['pause', 'pause', 'resume']);
    waiting[1]?.response.emit('socket');
    await setImmediate();
    expect(socket.acts).toEqual(['pause', 'pause', 'resume']);
    expect(answered.map(([request]) => request)).toEqual(
      [waiting[0], waiting[1]].map((each) => each?.request),
    );
    expect(connectionOf(socket).latest).toBe(last.response);
  });

  it('are answered four in a turn of the event loop', async () => {
    const { take, answered } = pipelined();
    const socket = connected();
    const waiting = Array.from({ length: 2 * AT_ONCE }, () => take(socket));
    const due = (from: number, to: number) => {
      for (const { response } of waiting.slice(from, to)) response.emit('socket');
    };
    due(0, AT_ONCE);
    expect(answered).toHaveLength(0);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(answered).toHaveLength(AT_ONCE - 1);
    await setImmediate();
    expect(answered).toHaveLength(AT_ONCE);
    due(AT_ONCE, 2 * AT_ONCE);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(answered).toHaveLength(2 * AT_ONCE - 1);
    await setImmediate();
    expect(answered.map(([, response]) => response)).toEqual(
      waiting.map(({ response }) => response),
    );
  });

  it('are not answered where the connection broke, or was refused, meanwhile', async () => {
    const { take, answered, connectionOf } = pipelined();
    const socket = connected();
    const [refused, broken] = [take(socket), take(socket)];
    refused.response.headersSent = true;
    refused.response.emit('socket');
    await setImmediate();
    socket.writable = false;
    broken.response.emit('socket');
    await setImmediate();
    expect(answered).toEqual([]);
    expect(connectionOf(socket).waiting).toBe(2);
  });

  it('are forgotten when the last of them is over, unless its body is to come', () => {
    const { take, pipelining, connectionOf } = pipelined();
    const socket = connected();
    const first = take(socket, { isTurn: true });
    const early = take(socket, { complete: false });
    pipelining.done(Object(first.response));
    expect(connectionOf(socket).latest).toBe(early.response);
    pipelining.done(Object(early.response));
    expect(connectionOf(socket).latest).toBe(early.response);
    const last = take(socket);
    pipelining.done(Object(last.response));
    expect(connectionOf(socket).latest).toBeUndefined();
    const unknown = Object.assign(new EventEmitter(), { req: { socket: connected() } });
    expect(() => pipelining.done(Object(unknown))).not.toThrow();
  });
});

describe('requests on all connections', () => {
  const fill = (take: (socket: Fake) => unknown, socket: Fake, count: number) => {
    for (let i = 0; i < count; i++) take(socket);
  };
  const isCut = ({ acts }: Fake) => acts.includes('destroy');

  it('are 10,000 beyond the 16 of each, and one more ends its connection', () => {
    const { take } = pipelined();
    const [one, other] = [connected(), connected()];
    fill(take, one, MOST_WAITING + MOST_BEYOND - 1);
    fill(take, other, MOST_WAITING + 1);
    expect([isCut(one), isCut(other)]).toEqual([false, false]);
    fill(take, other, 1);
    expect([isCut(one), isCut(other)]).toEqual([false, true]);
  });

  it('make room when their connection is closed, or when they are answered', async () => {
    const { take, connectionOf } = pipelined();
    const few = connected();
    fill(take, few, 3);
    few.emit('close');
    const [one, other] = [connected(), connected()];
    fill(take, one, MOST_WAITING + MOST_BEYOND);
    one.emit('close');
    expect(connectionOf(one).waiting).toBe(0);
    const first = take(other);
    fill(take, other, MOST_WAITING + MOST_BEYOND - 1);
    expect(isCut(other)).toBe(false);
    first.response.emit('socket');
    await setImmediate();
    fill(take, other, 1);
    expect(isCut(other)).toBe(false);
    fill(take, other, 1);
    expect(isCut(other)).toBe(true);
  });

  it('make no room beyond the 16 when others are answered', async () => {
    const { take, answered } = pipelined();
    const [one, other] = [connected(), connected()];
    const waiting = Array.from({ length: MOST_WAITING }, () => take(one));
    for (const { response } of waiting) response.emit('socket');
    await setImmediate();
    expect(answered).toHaveLength(MOST_WAITING);
    fill(take, other, MOST_WAITING + MOST_BEYOND);
    expect(isCut(other)).toBe(false);
    fill(take, other, 1);
    expect(isCut(other)).toBe(true);
  });
});
