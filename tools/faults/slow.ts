import { connect, type Socket } from 'node:net';
import { counted, type Fault, seconds } from '../support/check-report.ts';
import { startBystander } from '../support/http-connection.ts';
import { withInstance } from '../support/server-instance.ts';

const HEADERS_WITHIN = 12_000;
const BODIES_WITHIN = 22_000;
const SILENT_WITHIN = 15_000;

export const slow: Fault = {
  promise: 'Slow clients are let go, and others do not notice them',
  how: '500 clients that send their headers a byte at a time, 500 their bodies, 500 that say nothing, while another reads',

  run: ({ check, timing }, isShort) =>
    withInstance(async ({ url }) => {
      const count = isShort ? 100 : 500;
      const head = 'POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      await fetch(`${url}/books`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"title":"x","pages":1}',
      });
      const bystander = startBystander(url);
      const [headers, bodies, silent] = await Promise.all([
        letGo(url, count, `${head}X-Slow: `, 'x'),
        letGo(url, count, `${head}Content-Length: 1000\r\n\r\n`, ' '),
        letGo(url, count, '', ''),
      ]);
      const { answered, other, longest } = await bystander();

      timing(headers < HEADERS_WITHIN, `${count} slow headers gone after ${seconds(headers)}`);
      timing(bodies < BODIES_WITHIN, `${count} slow bodies gone after ${seconds(bodies)}`);
      timing(silent < SILENT_WITHIN, `${count} silent connections gone after ${seconds(silent)}`);
      check(other.size === 0 && answered > 0, `bystander: 200: ${answered} ${counted(other)}`);
      timing(longest < 2000, `bystander waited ${longest.toFixed(0)} ms at most`);
      return `headers gone after ${seconds(headers)}, bodies after ${seconds(bodies)}, silent ones after ${seconds(silent)}; a bystander answered ${answered} of ${answered} times within ${longest.toFixed(0)} ms`;
    }),
};

/** Opens connections that go on sending a byte a second; how long until the last of them is closed. */
async function letGo(url: string, count: number, start: string, more: string): Promise<number> {
  const { port } = new URL(url);
  const opened = performance.now();
  const sockets: Socket[] = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1'));
  const dripping = setInterval(() => {
    for (const socket of sockets) if (more && socket.writable) socket.write(more);
  }, 1000);
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          if (start) socket.write(start);
          socket.on('error', () => {});
          socket.on('data', () => {});
          socket.once('close', () => resolve());
        }),
    ),
  );
  clearInterval(dripping);
  return performance.now() - opened;
}
