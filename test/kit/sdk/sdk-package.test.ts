import { describe, expect, it } from 'vitest';
import { byPreference, kindOf } from '../../../src/kit/sdk/media-kind.ts';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { knownContract } from '../../support/known-contract.ts';

async function modelWith(members: object, name?: string) {
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, ...members };
  const contract = await knownContract(document);
  return modelOf({ document: contract.document, schema: undefined, digest: '' }, name);
}

it.each([
  ['application/json', 'json'],
  ['application/vnd.a+json; v=1', 'json'],
  ['application/x-www-form-urlencoded', 'form'],
  ['multipart/form-data', 'multipart'],
  ['text/csv', 'text'],
  ...['xml', 'yaml', 'x-yaml', 'jsonl', 'x-ndjson', 'json-seq', 'javascript', 'graphql'].map(
    (name) => [`application/${name}`, 'text'],
  ),
  ['image/svg+xml', 'text'],
  ['*/*', 'any'],
  ['application/*', 'any'],
  ['image/*', 'binary'],
  ['multipart/mixed', 'binary'],
  ['application/octet-stream', 'binary'],
])('%s is written and read as %s', (mediaType, kind) => {
  expect(kindOf(String(mediaType))).toBe(kind);
});

it('of several media types the SDK uses what it has the best types for', () => {
  const types = [
    ...['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'],
    ...['text/plain', '*/*', 'image/png'],
  ];
  expect(byPreference(types.toReversed())).toEqual(types);
});

describe('a package', () => {
  it.each([
    ['1.2.3', '1.2.3'],
    ['1.2.3-rc', '1.2.3-rc'],
    ['1.2.3-beta.4', '1.2.3-beta.4'],
    ['v2', '2.0.0'],
    ['2024-01-05', '2024.1.5'],
    ['1.2.3.4', '1.2.3'],
    ['latest', '0.0.0'],
  ])('of the version %s is %s', async (version, expected) => {
    const { packageVersion } = await modelWith({ info: { title: 'T', version } });
    expect(packageVersion).toBe(expected);
  });

  it.each([
    [{ title: 'MyAPI' }, undefined, 'MyAPI', 'my-api-sdk', 'MyAPI.'],
    [{ title: 'MyAPI', summary: 'S.' }, 'the other', 'TheOther', 'the-other-sdk', 'S.'],
    [{ title: '!' }, undefined, 'Api', 'api-sdk', '!.'],
    [{ title: '2nd' }, undefined, '_2nd', '2nd-sdk', '2nd.'],
    [{ title: 'Promise' }, undefined, 'PromiseClient', 'promise-sdk', 'Promise.'],
  ])(
    'of %j, called %s, has a class and a name',
    async (info, name, title, packageName, summary) => {
      const model = await modelWith({ info: { version: '1', ...info } }, name);
      expect([model.title, model.packageName, model.summary]).toEqual([
        title,
        packageName,
        summary,
      ]);
      expect(model.license).toBeUndefined();
    },
  );

  it('has the license by its name where it has no identifier', async () => {
    const info = { title: 'T', version: '1', license: { name: 'Own' } };
    expect((await modelWith({ info })).license).toBe('Own');
  });

  it.each([
    [[], 'http://127.0.0.1:3000'],
    [[{ url: '/v1' }], 'http://127.0.0.1:3000'],
    [[{ url: 'http://a.example' }, { url: 'http://b.example' }], 'http://a.example'],
  ])('for %j calls %s unless it is told otherwise', async (servers, address) => {
    expect((await modelWith({ servers })).address).toBe(address);
  });
});
