import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { createSentCredentials } from '../../../src/kit/rest/sent-credentials.ts';

const contract = (security: string) => `
openapi: 3.1.0
info: { title: Credentials, version: '1' }
paths:
  /one: { get: { security: ${security}, responses: { '200': { description: Done. } } } }
components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: session }
    bearer: { type: http, scheme: bearer }
`;

async function sentBy(security: string) {
  const credentials = createSentCredentials(await parseContract(contract(security)));
  return (given: Readonly<Record<string, string[]>>, query = '') => {
    const headers = { authorization: given.authorization?.[0] };
    const request = { headers, headersDistinct: given };
    // As much of an exchange as is read.
    return credentials({ request, query } as unknown as Exchange);
  };
}

// Only replicas need to know, which have no test without PostgreSQL.
describe('what was sent as credentials', () => {
  it('is the header Authorization, where there are no keys', async () => {
    const sent = await sentBy('[{ bearer: [] }]');
    expect(sent({ authorization: ['Bearer x'], 'x-key': ['a'] }, 'key=b')).toBe('Bearer x');
    expect(sent({ 'x-key': ['a'] })).toBeUndefined();
  });

  it('is the same where all of it is', async () => {
    const sent = await sentBy('[{ header: [] }, { query: [], cookie: [] }]');
    const all = [
      sent({ authorization: ['Bearer x'] }),
      sent({ 'x-key': ['a'] }),
      sent({ 'x-key': ['b'] }),
      sent({}, 'key=a'),
      sent({ cookie: ['session=a'] }),
      sent({ 'x-key': ['a'], authorization: ['Bearer x'] }),
    ];
    expect(new Set(all).size).toBe(6);
    expect(sent({ 'x-key': ['a'], other: ['x'] }, 'other=1')).toBe(all[1]);
    expect(sent({ other: ['x'] })).toBeUndefined();
    expect(sent({ 'x-key': ['a', 'b'] })).toBeUndefined();
  });
});
