import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createPipelining } from '../../src/kit/http/pipelining.ts';

// Answers a request before it has arrived, and others after it on the same connection; prints whether
// the first can be collected then. In a process of its own, where nobody else holds anything.
let early: WeakRef<ServerResponse> | undefined;
const pipelining = createPipelining(
  () => ({}),
  (_, response) => {
    early ??= new WeakRef(response);
    response.once('close', () => pipelining.done(response)).end('!');
  },
);
const server = createServer(pipelining.take).listen(0, '127.0.0.1');
await once(server, 'listening');

const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
for (const text of [
  'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1',
  '2GET /x HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /x HTTP/1.1\r\nHost: x\r\n\r\n',
]) {
  socket.write(text);
  await once(socket, 'data');
}
for (let turn = 0; turn < 20; turn++) {
  await setImmediate();
  globalThis.gc?.();
}
process.stdout.write(early?.deref() ? 'held' : 'let go');
socket.destroy();
server.close();
