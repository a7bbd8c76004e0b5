import { connect } from 'node:net';

/** All that comes back until the server closes; `later` is sent once something has come. */
export function sendRaw(url: string, text: string, later = ''): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    // The client's side stays open, so that it is the server that ends the connection.
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () =>
      socket.write(text),
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => {
      if (chunks.length === 0 && later) socket.write(later);
      chunks.push(chunk);
    });
    socket.on('error', () => {});
    const done = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.once('end', done);
    socket.once('close', done);
  });
}

/** Each answer's status, and its body where it is a problem. */
export function answersIn(text: string) {
  return text
    .split(/(?=HTTP\/1\.1 \d{3})/)
    .filter((part) => part !== '')
    .map((part) => {
      const [head = '', body = ''] = part.split('\r\n\r\n');
      const isProblem = body.startsWith('{"type"');
      return { status: Number(head.slice(9, 12)), ...(isProblem && { problem: JSON.parse(body) }) };
    });
}
