import { describe, expect, it } from 'vitest';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { problemType } from '../../../src/kit/sdk/typescript/types.ts';
import { knownContract } from '../../support/known-contract.ts';
import { sdkContract } from '../../support/sdk-contract.ts';

const { document } = await knownContract(sdkContract);
const model = modelOf({ document, schema: undefined, digest: 'd' });
const calls = model.groups.flatMap((group) => group.calls);

describe('a client', () => {
  it('has the names, version, license and address of the contract', () => {
    const { title, packageName, version, packageVersion, license, summary, address } = model;
    expect([title, packageName, version, packageVersion]).toEqual([
      ...['FleetOfShips', 'fleet-of-ships-sdk', '1.2', '1.2.0'],
    ]);
    expect([license, summary, address]).toEqual([
      'MIT',
      'Ships and photos.',
      'https://eu.example/v1',
    ]);
  });

  it('has the operations of declared tags first, then those of paths, by short names', () => {
    const named = model.groups.map(({ name, className, about, calls: own }) => [
      ...[name, className, about],
      own.map((call) => call.name),
    ]);
    expect(named).toEqual([
      ['empty', 'EmptyApi', '', []],
      ['ships', 'ShipsApi', 'Ships at sea.', ['list', 'create', 'get', 'replace', 'delete', 'has']],
      ['photos', 'PhotosApi', '', ['getOne', 'add']],
      [
        ...['files', 'FilesApi', ''],
        [
          ...['getV2Files', 'putV2Files', 'postV2Files', 'deleteV2Files', 'optionsV2Files'],
          'patchV2Files',
        ],
      ],
    ]);
    expect(calls.map(({ typeName }) => typeName).slice(0, 8)).toEqual([
      ...['ListShips', 'CreateShip', 'GetShip', 'ReplaceShip', 'DeleteShip', 'HasShip'],
      ...['PhotosGetOne', 'PhotosAdd'],
    ]);
  });

  it('tells what it lacks', () => {
    expect(model.leftOut).toEqual([
      'HEAD /ships/{id}: its body is left out: fetch sends none with HEAD',
      'TRACE /ships/{id}: is left out: fetch does not send TRACE',
      'GET /photos/{id}: its body is left out: fetch sends none with GET',
      'POST /photos/{id}: a body of multipart/mixed is left out: the SDK writes multipart/form-data alone',
      'POST /v2/files: its events are read as one text, when they have ended',
      'DELETE /v2/files: a body of multipart/mixed is left out: the SDK writes multipart/form-data alone',
    ]);
  });

  it('has a class for each status of a refusal, with all that it may say', () => {
    expect(
      model.errors.map((each) => [
        ...[each.status, each.className, each.descriptions.join(' ')],
        problemType(each),
      ]),
    ).toEqual([
      [400, 'BadRequestError', 'Malformed. Too long.', 'Problem | Fault'],
      [404, 'NotFoundError', 'None.', 'unknown'],
      [409, 'ConflictError', 'There is one.', 'unknown'],
      [500, 'InternalServerError', 'Broken.', 'undefined'],
    ]);
    expect(problemType({ shapes: model.otherErrors })).toBe('Fault | Ship');
  });

  it('has the security schemes that operations require', () => {
    expect(model.schemes).toEqual([
      { name: 'token', kind: 'bearer' },
      { name: 'key', kind: 'key', in: 'query', key: 'k' },
      { name: 'user', kind: 'basic' },
    ]);
  });
});
