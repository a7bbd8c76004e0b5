// engines: sqlite, postgres
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useServer } from '../support/api-server.ts';
import { collections, samples } from '../support/collections.ts';

const server = useServer({}, collections);
const { api } = server;

describe('rules of the resource routes', () => {
  it('1. response bodies are JSON and carry Content-Type application/json', async () => {
    for (const path of ['/books', '/books/1', '/books/x', '/nothing', '/greet/en', '/greet/xx']) {
      const { headers, json } = await api({ path });
      expect(headers['content-type']).toBe('application/json');
      expect(json).toBeDefined();
    }
  });

  it('2. a path that matches with a method that does not gets 405', async () => {
    const { status, json } = await api({ method: 'POST', path: '/greet/en' });
    expect(status).toBe(405);
    expect(json.type).toBe('urn:accord:problem:method-not-allowed');
  });

  it('3. status is decided before any body is written: a response has one status', async () => {
    const { serveContract } = await import('../support/contract-server.ts');
    const contract = `
      openapi: 3.1.0
      info: { title: Failing, version: 1.0.0 }
      paths:
        /list:
          get:
            operationId: list
            responses: { '200': { description: A list, content: { application/json: {} } } }`;
    async function* failing() {
      yield '[1';
      throw new Error('too late for another status');
    }
    const failing200 = await serveContract(contract, {
      list: () => ({ status: 200, headers: {}, body: failing() }),
    });
    const response = await fetch(`${failing200.url}/list`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await failing200.stop();
  });

  it('4. a body that cannot be decoded as JSON gets 400 and creates nothing', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const name of collections) {
      const path = `/${name}`;
      const before = (await api({ path })).text;
      for (const body of ['{', '', 'x', '{"title": "x",}', "{'title': 'x'}", 'NaN', '{"a":1}x']) {
        expect((await api({ method: 'POST', path, headers, body })).status).toBe(400);
      }
      expect((await api({ path })).text).toBe(before);
    }
  });
});

describe('errors', () => {
  it('a JSON body that is absent is 400', async () => {
    for (const name of collections) {
      for (const headers of [{}, { 'content-type': 'application/json' }]) {
        const { status, json } = await api({ method: 'POST', path: `/${name}`, headers });
        expect(status).toBe(400);
        expect(json.errors).toEqual([{ path: '/body', message: 'is required' }]);
      }
    }
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/*',
    'json',
    '',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset="iso-8859-1"',
  ])('Content-Type %j is 400, not 415', async (type) => {
    for (const name of collections) {
      const body = JSON.stringify(samples[name].input);
      const headers = { 'content-type': type };
      const { status, json } = await api({ method: 'POST', path: `/${name}`, body, headers });
      expect(status).toBe(400);
      expect(json.errors[0].path).toBe('/headers/content-type');
    }
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; version=1',
  ])('Content-Type %j is admitted', async (type) => {
    const body = JSON.stringify(samples.books.input);
    const headers = { 'content-type': type };
    expect((await api({ method: 'POST', path: '/books', body, headers })).status).toBe(201);
  });

  it('unexpected server failure is 500, logged with its cause, which the answer hides', async () => {
    const { createClient } = await import('../support/client.ts');
    const { serveContract } = await import('../support/contract-server.ts');
    const contract = `
      openapi: 3.1.0
      info: { title: Broken, version: 1.0.0 }
      paths:
        /broken:
          get:
            operationId: break
            responses:
              '500':
                description: Always
                content: { application/json: { schema: { type: object } } }`;
    const broken = await serveContract(contract, {
      break: () => {
        throw new Error('the secret at /etc/secret.txt');
      },
    });
    const client = await createClient(broken.url, broken.contract);
    const { status, text, json } = await client({ path: '/broken' });
    expect(status).toBe(500);
    expect(json.type).toBe('urn:accord:problem:internal-error');
    expect(text).not.toContain('secret');
    expect(broken.log.join()).toMatch(
      /Error: the secret at \/etc\/secret.txt.*GET \/broken failed/,
    );
    await broken.stop();
  });

  it('an expectation it does not know is ignored', async () => {
    const answer = await raw(
      'GET /greet/en HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.once('close', () => resolve(answer));
    socket.once('error', reject);
  });
}
