import { connect } from 'node:net';

type RawOptions = {
  /** Sent after the first bytes of the response. */
  readonly later?: string;
  /** Closes the client's side after sending; otherwise the server closes first. */
  readonly halfCloses?: boolean;
};

/** Sends bytes as they are; all that comes back until the server closes. */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  { later = '', halfCloses = false }: RawOptions = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => {
      if (chunks.length === 0 && later) socket.write(later);
      chunks.push(chunk);
    });
    socket.on('error', () => {});
    socket.once('end', () => socket.destroy());
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    if (halfCloses) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** The status of each response; one follows a body or stands at the start. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/(?:^|\r\n|\})HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

/** Each response's status, and its body where it is a problem. */
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
