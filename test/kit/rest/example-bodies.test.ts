// engines: sqlite
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnyInput } from '../../../src/kit/rest/handler.ts';
import { serveContract } from '../../support/contract-server.ts';

const servers: Awaited<ReturnType<typeof serveContract>>[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** Serves a contract of OpenAPI 3.0 as one of 3.1; each operation replies with the body that it was given. */
async function serveExample(name: string): Promise<string> {
  const folder = new URL('../../../node_modules/@readme/oas-examples/3.0/json/', import.meta.url);
  const source = readFileSync(new URL(`${name}.json`, folder), 'utf8')
    .replaceAll('"format": "binary"', '"contentMediaType": "application/octet-stream"')
    .replaceAll(/"format": "(int32|date|date-time|string)"/g, '"title": ""');
  const { paths, components } = JSON.parse(source);
  const handlers = Object.entries<Record<string, object>>(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const operationId = `${method} ${path}`;
      Object.assign(operation, { operationId, security: [] });
      return [operationId, take] as const;
    }),
  );
  const info = { title: name, version: '1.0.0' };
  const contract = { openapi: '3.1.0', info, paths, ...(components && { components }) };
  const server = await serveContract(JSON.stringify(contract), Object.fromEntries(handlers));
  servers.push(server);
  return server.url;
}

async function take({ body }: AnyInput, { accept }: { readonly accept: string }) {
  const value = body instanceof Readable ? await text(body) : body;
  return {
    status: 200,
    headers: { 'X-Accept': accept },
    type: 'application/json',
    body: JSON.stringify({ value }),
  };
}

async function send(url: string, method: string, body?: BodyOf, headers = {}) {
  const response = await fetch(url, { method, headers, ...(body && { body }) });
  const { value } = Object(await response.json());
  return { status: response.status, value, accept: response.headers.get('x-accept') };
}
type BodyOf = NonNullable<RequestInit['body']>;

describe('the examples of @readme/oas-examples', () => {
  it('form-data', async () => {
    const url = `${await serveExample('form-data')}/anything`;
    const form = new URLSearchParams({ client_id: 'a', client_secret: 'b', scope: '7' });
    const value = { client_id: 'a', client_secret: 'b', scope: 7 };
    expect(await send(url, 'POST', form)).toMatchObject({ status: 200, value });
    expect(await send(url, 'POST')).toMatchObject({ status: 200, value: undefined });
    expect((await send(url, 'POST', new URLSearchParams({ scope: 'x' }))).status).toBe(400);
  });

  it('file-uploads', async () => {
    const url = `${await serveExample('file-uploads')}/anything`;
    const picture = new Blob(['PNG'], { type: 'image/png' });
    expect(await send(`${url}/image-png`, 'POST', picture)).toMatchObject({ value: 'PNG' });
    expect((await send(`${url}/image-png`, 'POST', 'text')).status).toBe(400);
    const form = new FormData();
    form.append('orderId', '1');
    form.append('documentFile', picture, 'a.png');
    const documentFile = { name: 'a.png', mediaType: 'image/png', size: 3 };
    expect(await send(`${url}/multipart-formdata`, 'POST', form)).toMatchObject({
      value: { orderId: 1, documentFile },
    });
    const many = new FormData();
    many.append('filename', picture, '1');
    many.append('filename', picture, '2');
    expect(await send(`${url}/multipart-formdata`, 'PUT', many)).toMatchObject({
      value: { filename: [{ name: '1' }, { name: '2' }] },
    });
  });

  it('schema-encoding-style', async () => {
    const url = `${await serveExample('schema-encoding-style')}/form/primitive`;
    const form = new FormData();
    for (const [name, value] of ['primitive=p', 'array=1', 'array=2', 'foo=f', 'bar=b'].map(
      (pair) => pair.split('='),
    )) {
      form.append(String(name), String(value));
    }
    expect(await send(url, 'PUT', form)).toMatchObject({
      value: { primitive: 'p', array: ['1', '2'], object: { foo: 'f', bar: 'b' } },
    });
  });

  it('response-multiple-mediatypes', async () => {
    const url = `${await serveExample('response-multiple-mediatypes')}/multiple-types-single-example`;
    const accepted = async (accept: string) =>
      (await send(url, 'POST', undefined, { accept })).accept;
    expect(await accepted('*/*')).toBe('text/plain');
    expect(await accepted('application/json')).toBe('application/json');
  });
});
