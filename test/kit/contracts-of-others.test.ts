// long: asks every operation of 59 contracts
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  createSampledRequests,
  type SampledRequest,
} from '../../src/kit/cli/test/sampled-requests.ts';
import { type Contract, readContract } from '../../src/kit/contract/contract.ts';
import type { Operation } from '../../src/kit/contract/operation.ts';
import { type Response, responseOf, violations } from '../../src/kit/contract/response-check.ts';
import { mockStatus } from '../../src/kit/mock/mock-status.ts';
import { distinctContracts, foreignContracts } from '../../tools/support/foreign-contracts.ts';
import { answerOf, serveForeign } from '../support/foreign-server.ts';

/** What cannot be served, and the line that says why. */
const refused: Readonly<Record<string, string>> = {
  // OpenAPI 3.0 demands a response of each operation.
  'oas-examples/3.0/json/openapi-workshop/post.json':
    'post.json:26:22: found an object, which must NOT have fewer than 1 properties',
  // `exclusiveMinimum: true` in a schema that says it is of draft 6, where it is a number.
  'oas-examples/3.1/json/schema-validation-local.json':
    'schema-validation-local.json:98:33: found true, expected a number',
  'oas-examples/3.1/yaml/schema-validation-local.yaml':
    'schema-validation-local.yaml:77:29: found true, expected a number',
};

/** Operations without an answer that the contract admits, and why. */
const unanswerable: Readonly<Record<string, string>> = {
  directCircular: 'its answer, a TreeNode, demands another TreeNode, without an end',
  getStatus100: 'its response is interim',
  getStatus101: 'its response is interim',
  getStatus102: 'its response is interim',
  getStatus103: 'its response is interim',
  postAnythingAnd: 'it demands two credentials in one Authorization header',
};

/** Errors for which a contract admits no body at all: a `oneOf` of schemas that admit the same. */
const impossible: Readonly<Record<string, readonly string[]>> = {
  'oas-examples/3.0/json/readme-legacy.json': [
    ...['uploadAPISpecification', 'updateAPISpecification', 'createVersion'],
  ],
};

const isOld = ({ name }: { readonly name: string }) => name.includes('/2.0/');
const isRefused = ({ name }: { readonly name: string }) => Object.hasOwn(refused, name);
const contracts = foreignContracts().filter((each) => !isOld(each));
const served = distinctContracts().filter((each) => !isRefused(each));

describe('contracts of others', () => {
  it('are served, but for a few', () => {
    expect(contracts.length).toBeGreaterThan(110);
    expect(Object.keys(refused).length).toBeLessThan(contracts.length * 0.05);
  });

  it.each(contracts.filter(isRefused))('$name is refused with its line', async ({ name, file }) => {
    await expect(serveForeign(file)).rejects.toThrow(refused[name]);
  });

  it.each(foreignContracts().filter(isOld))(
    '$name of Swagger 2.0 is refused with the name of a converter',
    async ({ file }) => {
      await expect(readContract(file)).rejects.toThrow('`npx swagger2openapi <file>` converts it');
    },
  );

  it('are read alike from JSON and from YAML', async () => {
    let compared = 0;
    for (const { name, file } of served) {
      const other = contracts.find((each) => each.name === name.replaceAll('json', 'yaml'));
      if (!other || served.some((each) => each.name === other.name)) continue;
      const [one, twin] = await Promise.all(
        [file, other.file].map((each) => readContract(each, { lenient: true })),
      );
      // Two of the package's own twins say different things.
      if (!one || !twin || !isDeepStrictEqual(one.written, twin.written)) continue;
      compared += 1;
      expect({ name, of: told(twin) }).toEqual({ name, of: told(one) });
    }
    expect(compared).toBeGreaterThan(40);
  });
});

describe.each(served)('$name', ({ name, file }) => {
  it('answers a valid request of each operation as declared, and refuses near misses', async () => {
    const servers = await serveForeign(file);
    const { contract, lane, full } = servers;
    const sampled = createSampledRequests(contract);
    const found: unknown[] = [];
    for (const operation of contract.operations) {
      const { valid, invalid } = sampled(operation);
      for (const request of [...valid, ...invalid]) {
        const answer = await answerOf(lane, request);
        const other = await answerOf(full, request);
        const faults = invalid.includes(request)
          ? refusalFaults(contract, operation, request, answer, name)
          : answerFaults(contract, operation, request, answer);
        const differs = answer.raw === other.raw ? [] : [`the full path: ${other.raw}`];
        if (faults.length + differs.length > 0) {
          found.push({ what: request.what, faults, differs, answer: answer.raw });
        }
      }
    }
    await servers.stop();
    expect(found).toEqual([]);
  });
});

function told(contract: Contract | undefined): unknown {
  return contract?.operations.map(({ id, method, path, parameters, responses }) => [
    ...[id, method, path, parameters.map(({ name }) => name), [...responses.keys()]],
  ]);
}

function answerFaults(
  contract: Contract,
  operation: Operation,
  { method, target }: SampledRequest,
  answer: Response,
): string[] {
  if (Object.hasOwn(unanswerable, operation.id)) {
    return answer.status === 500 || answer.status === 401 ? [] : ['it is answered after all'];
  }
  const status = mockStatus(operation, undefined);
  if (answer.status !== status) return [`${answer.status} instead of ${status}`];
  return violations(contract, method, target, answer);
}

/** Where the contract says nothing of the refusal, or nothing of its body, it is the kit's own. */
function refusalFaults(
  contract: Contract,
  operation: Operation,
  { method, target }: SampledRequest,
  answer: Response,
  name: string,
): string[] {
  const isKits = Object(answer.json).type === 'urn:accord:problem:invalid-request';
  if (answer.status !== 400) return [`${answer.status} instead of 400`];
  if (impossible[name]?.includes(operation.id)) return isKits ? [] : ['it has a body after all'];
  if (isKits && !responseOf(operation, 400)?.content) return [];
  return violations(contract, method, target, answer);
}
