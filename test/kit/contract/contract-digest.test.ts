import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';

const server = useServer();
const { api } = server;

const contracts = ['openapi.yaml', 'schema.graphql'].map((name) =>
  readFileSync(new URL(`../../../${name}`, import.meta.url)),
);
const digest = createHash('sha256').update(Buffer.concat(contracts)).digest('hex');

it.each([
  ['GET', '/books', 200],
  ['HEAD', '/books', 200],
  ['GET', '/books/1', 404],
  ['POST', '/books', 400],
  ['PATCH', '/books', 405],
  ['GET', '/nothing', 404],
  ['GET', '/openapi.yaml', 200],
  ['POST', '/graphql', 400],
  ['GET', '/graphql', 405],
  ['GET', '/docs', 200],
  ['GET', '/docs/assets/site.css', 200],
] as const)('%s %s answers %i with the digest of both contracts', async (method, path, status) => {
  const answer = await fetch(`${server.url}${path}`, { method });
  expect([answer.status, answer.headers.get('contract-digest')]).toEqual([status, digest]);
});

it('is on the answer to what is not HTTP, too', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.end('nonsense\r\n\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain(`\r\nContract-Digest: ${digest}\r\n`);
});

it.each(['{ todos { id } }', '{ nothing }', '{'])(
  'is in the extensions of the answer to %s for those who ask',
  async (query) => {
    const asked = { method: 'POST', path: '/graphql' };
    const extensions = { contractDigest: true };
    const told = await api({ ...asked, json: { query, extensions } });
    expect(told.json.extensions).toEqual({ contractDigest: digest });
    const { json } = await api({ ...asked, json: { query, extensions: {} } });
    expect(json).not.toHaveProperty('extensions');
    expect({ ...json, extensions: told.json.extensions }).toEqual(told.json);
  },
);
