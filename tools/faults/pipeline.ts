import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, megabytes } from '../support/check-report.ts';
import { createConnection, startBystander } from '../support/http-connection.ts';
import { residentBytes } from '../support/process-usage.ts';
import { withInstance } from '../support/server-instance.ts';

const RECORDS = 500;
const MEGABYTE = 1e6;

export const pipeline: Fault = {
  promise: 'Clients that send request upon request take neither memory nor turns from others',
  how: `one connection with 1,000 lists of ${RECORDS} records at once, then 200 connections with 20, all slow to read, while another reads`,

  run: ({ check, timing }, isShort) =>
    withInstance(async ({ url, pid }) => {
      await warmUp(url);
      const one = await crowd(url, pid, 1, 1000);
      // All answers together have 55 MB. While they are read, V8's heap grows to the size that this pace asks for.
      check(one.unread <= 20 * MEGABYTE, `1 × 1,000 lists: memory ${megabytes(one.unread)} up`);
      check(one.grown <= 150 * MEGABYTE, `  while they are read ${megabytes(one.grown)}`);
      timing(one.longest < 500, `  bystander waited ${one.longest.toFixed(0)} ms at most`);
      check(one.answered === 1000, `  ${one.answered} answered`);
      const connections = isShort ? 100 : 200;
      const many = await crowd(url, pid, connections, 20);
      check(
        many.grown <= 150 * MEGABYTE,
        `${connections} × 20 lists: memory ${megabytes(many.grown)} up`,
      );
      check(many.answered === connections * 20, `  ${many.answered} answered`);
      const whole = (grown: number) => `${Math.max(0, Math.round(grown / MEGABYTE))} MB`;
      return `1 × 1,000: ${whole(one.unread)} more unread, ${whole(one.grown)} while read, a bystander within ${one.longest.toFixed(0)} ms; ${connections} × 20: ${whole(many.grown)} more, within ${many.longest.toFixed(0)} ms`;
    }),
};

/** Records to list, and enough lists for the server to have the memory that it works with. */
async function warmUp(url: string): Promise<void> {
  const client = createConnection(url);
  for (let i = 0; i < RECORDS; i++) {
    const record = { title: `Book ${i} ${'x'.repeat(60)}`, pages: 1 + i };
    await client.send('POST', '/books', JSON.stringify(record));
  }
  const readers = Array.from({ length: 16 }, async () => {
    const reader = createConnection(url);
    for (let i = 0; i < 60; i++) await reader.send('GET', '/books');
    reader.close();
  });
  await Promise.all(readers);
  client.close();
}

/** Sends all requests at once on each connection, and reads the answers only after a while: `unread` is before that. */
async function crowd(url: string, pid: number, connections: number, requests: number) {
  const before = residentBytes(pid);
  let most = before;
  let unread = 0;
  let answered = 0;
  const looking = setInterval(() => {
    most = Math.max(most, residentBytes(pid));
  }, 20);
  const bystander = startBystander(url);
  const request = 'GET /books HTTP/1.1\r\nHost: x\r\n\r\n';
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.pause();
      socket.write(request.repeat(requests));
      await sleep(2000);
      unread = most - before;
      await new Promise<void>((resolve) => {
        let answers = 0;
        let tail = '';
        // The mark may be cut in two by the packets.
        socket.on('data', (chunk) => {
          const text = tail + chunk.toString('latin1');
          answers += text.split(MARK).length - 1;
          tail = text.slice(text.lastIndexOf(MARK) + 1).slice(1 - MARK.length);
          if (answers < requests) return;
          answered += answers;
          socket.destroy();
        });
        socket.on('error', () => {});
        socket.once('close', () => resolve());
        socket.resume();
      });
    }),
  );
  clearInterval(looking);
  const { longest } = await bystander();
  return { unread, grown: most - before, longest, answered };
}

const MARK = '\r\n0\r\n\r\n';
