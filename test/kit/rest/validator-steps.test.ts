import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { fairTurn } from '../../../src/kit/fair-turn.ts';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { IncomingMessage } from '../../../src/kit/http/node-http.ts';
import { createValidator } from '../../../src/kit/rest/validator.ts';

const contract = await parseContract(`
openapi: 3.1.0
info: { title: Steps, version: '1' }
paths:
  /a: { get: { operationId: a, responses: { '200': { description: Done. } } } }
`);

function exchange(): Exchange {
  const match = contract.routes('/a');
  const operation = match?.route.operations.get('GET');
  const request = new IncomingMessage(new Socket());
  // As much of an exchange as is read.
  return { method: 'GET', path: '/a', query: '', match, operation, request } as Exchange;
}

it('a validator is made in steps, which wait for their turn among other long work', async () => {
  // Loads what all of them share.
  await createValidator(contract)(exchange());
  const validate = createValidator(contract);
  let done = 0;
  const others = Array.from({ length: 100 }, async () => {
    await fairTurn();
    done++;
  });
  await validate(exchange());
  expect(done).toBe(100);
  await Promise.all(others);
});
