import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { createReader, requestText } from '../support/http-wire.ts';
import type { Burst } from './fairness-load.ts';

/** A process of its own, so that its work does not delay what the victim measures: sends a burst in each beat. */
const given: Burst = JSON.parse(process.argv[2] ?? '{}');
const { port, from, connections, next = connections, requests, path, every, yields } = given;
if (yields) setPriority(constants.priority.PRIORITY_LOW);
const burst = requestText('GET', path).repeat(requests);
const answers: Record<string, number> = {};
let sent = 0;
let left = 0;
let turn = 0;

const sockets = await Promise.all(Array.from({ length: connections }, open));
process.send?.('ready');
const beating = setInterval(beat, every);
process.once('message', async () => {
  clearInterval(beating);
  while (left > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  process.send?.({ sent, answers }, () => process.exit());
});

/** A connection whose burst is not answered yet skips a beat, so that requests do not pile up. */
function beat(): void {
  for (let i = 0; i < next; i++) {
    const each = sockets[turn++ % connections];
    if (!each || each.awaited > 0) continue;
    each.awaited = requests;
    left += requests;
    sent += requests;
    each.socket.write(burst);
  }
}

async function open(): Promise<{ readonly socket: Socket; awaited: number }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
  const opened = { socket, awaited: 0 };
  const count = (how: string, times: number) => {
    answers[how] = (answers[how] ?? 0) + times;
    opened.awaited -= times;
    left -= times;
  };
  const onResponse = ({ status }: { readonly status: number }) => count(String(status), 1);
  socket.on('data', createReader({ keepsBody: () => false, onResponse }));
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.once('close', () => opened.awaited > 0 && count('closed', opened.awaited));
  return opened;
}
