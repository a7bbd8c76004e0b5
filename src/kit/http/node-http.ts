/**
 * What the server needs of node:http. An `import` of it reads all of its exports, one of which loads Node's client for
 * WebSockets: 40 ms of CPU at each start.
 */
export const { createServer, IncomingMessage, ServerResponse } =
  process.getBuiltinModule('node:http');
