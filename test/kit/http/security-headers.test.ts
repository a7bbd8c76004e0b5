import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';

const server = useServer();

it.each([
  ['GET', '/books'],
  ['GET', '/books/1'],
  ['POST', '/books'],
  ['GET', '/nothing'],
  ['PATCH', '/books'],
  ['POST', '/graphql'],
  ['GET', '/metrics'],
  ['GET', '/openapi.yaml'],
  ['GET', '/docs'],
  ['GET', '/docs/assets/site.css'],
])(
  '%s %s: a browser takes it for what it says it is; nothing says what made it',
  async (method, path) => {
    const { headers } = await fetch(server.url + path, { method });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).not.toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  },
);

it.each(['/docs', '/docs/rest', '/docs/graphql', '/docs/schema', '/docs/changes'])(
  '%s is in nobody’s frame, loads nothing from elsewhere and tells nobody where its reader came from',
  async (path) => {
    const { headers } = await fetch(server.url + path);
    const policy = headers.get('content-security-policy');
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  },
);

it('the answer to what is not HTTP is no exception', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.end('nonsense\r\n\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('\r\nX-Content-Type-Options: nosniff\r\n');
});
