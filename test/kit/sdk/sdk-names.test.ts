import { describe, expect, it } from 'vitest';
import { errorClass, modelOf } from '../../../src/kit/sdk/model.ts';
import {
  camelCase,
  createNames,
  iterationName,
  kebabCase,
  legal,
  methodName,
  pascalCase,
  snakeCase,
} from '../../../src/kit/sdk/names.ts';
import { fieldName, methodText } from '../../../src/kit/sdk/python/text.ts';
import { nameOf } from '../../../src/kit/sdk/schema.ts';
import { knownContract } from '../../support/known-contract.ts';

const done = { responses: { 204: { description: '' } } };

async function modelWith(paths: object, more: object = {}, schema?: object) {
  const info = { title: 'T', version: '1' };
  const { document } = await knownContract({ openapi: '3.1.0', info, paths, ...more });
  return modelOf({ document, schema, digest: '' });
}

describe('words', () => {
  it.each([
    ['createShip', 'CreateShip', 'createShip', 'create_ship', 'create-ship'],
    ['x_request-ID', 'XRequestId', 'xRequestId', 'x_request_id', 'x-request-id'],
    ['ETag', 'Etag', 'etag', 'etag', 'etag'],
    ["owner's v2Name", 'OwnersV2Name', 'ownersV2Name', 'owners_v2_name', 'owners-v2-name'],
    ['Größe Éa', 'GrößeÉa', 'größeÉa', 'größe_éa', 'groe-ea'],
    ['', '', '', '', ''],
  ])('of %j are joined as each language has it', (name, pascal, camel, snake, kebab) => {
    expect([pascalCase(name), camelCase(name), snakeCase(name), kebabCase(name)]).toEqual([
      ...[pascal, camel, snake, kebab],
    ]);
  });

  it.each([
    ['a', 'a'],
    ['2a', '_2a'],
    ['', 'other'],
  ])('%j is a name as %s', (name, expected) => {
    expect(legal(name, 'other')).toBe(expected);
  });
});

it('a component is known by its name in a JSON pointer', () => {
  expect(nameOf({ $ref: '#/components/schemas/a~1b~0c' })).toBe('a/b~c');
  expect(nameOf({ $ref: '#/components/responses/a' })).toBeUndefined();
});

it('a name is given out once, with its parts, and then with a suffix and a number', () => {
  const names = createNames(['taken', 'partsOptions']);
  const given = [names('free'), names('free'), names('free', 'Model'), names('free', 'Model')];
  expect(given).toEqual(['free', 'free2', 'freeModel', 'freeModel2']);
  expect([names('taken'), names('taken'), names('taken')]).toEqual(['taken2', 'taken3', 'taken4']);
  expect([names('parts', '', ['Options']), names('parts2Options')]).toEqual([
    ...['parts2', 'parts2Options2'],
  ]);
});

describe('a method', () => {
  it.each([
    ['listShips', 'ships', 'list'],
    ['listShipsOld', 'ships', 'listOld'],
    ['createShip', 'ships', 'create'],
    ['createEntry', 'entries', 'create'],
    ['createBus', 'bus', 'create'],
    ['getShipyard', 'ports', 'getShipyard'],
    ['get', '', 'get'],
    ['getAll', '', 'getAll'],
    ['ships/list-all', 'ships', 'listAll'],
    ['ships', 'ships', 'ships'],
    ['ships/', 'ships', 'ships'],
    ['shipsale/list', 'ships', 'shipsaleList'],
    ['ports/list', 'ships', 'portsList'],
  ])('for %s among %s is %s', (operationId, tag, name) => {
    expect(methodName(operationId, tag)).toBe(name);
  });

  it.each([
    ['list', 'iterate'],
    ['listBooks', 'iterateBooks'],
    ['search', 'iterateSearch'],
  ])('%s is walked through by %s', (name, iteration) => {
    expect(iterationName(name)).toBe(iteration);
  });

  it.each([
    ['404', 'NotFoundError'],
    ['500', 'InternalServerError'],
    ['418', 'ImATeapotError'],
    ['499', 'Status499Error'],
  ])('is refused with %s as %s', (status, name) => {
    expect(errorClass(Number(status))).toBe(name);
  });

  it.each([
    ['class', 'class_', 'class_'],
    ['str', 'str', 'str_'],
    ['a', 'a', 'a'],
    ['%', 'value', 'value'],
    ['2nd', '_2nd', '_2nd'],
  ])('or a field %s of Python is called so that Python takes it', (name, field, method) => {
    expect([fieldName(name), methodText(name)]).toEqual([field, method]);
  });
});

describe('operations', () => {
  it('are grouped by the first tag, else by the first word of the path', async () => {
    const paths = {
      '/a/{x}': { get: { tags: ['Big Ones', 'small'], ...done, parameters: [inPath('x')] } },
      '/v1/{x}/reports/b': { get: { ...done, parameters: [inPath('x')] } },
      '/2.0/v3/old': { get: done },
      '/{x}': { get: { ...done, parameters: [inPath('x')] } },
      '/then': { get: done },
      '/big_ones': { get: done },
      '/graphql': { post: done },
    };
    const named = ({ groups }: Awaited<ReturnType<typeof modelWith>>) =>
      groups.map(({ name, className, calls }) => [name, className, calls.length]);
    const all = [
      ['bigOnes', 'BigOnesApi', 2],
      ['reports', 'ReportsApi', 1],
      ['old', 'OldApi', 1],
      ['root', 'RootApi', 1],
      ['thenGroup', 'ThenGroupApi', 1],
    ];
    expect(named(await modelWith(paths))).toEqual([...all, ['graphql', 'GraphqlApi', 1]]);
    // Where there is an SDL, the client has its documents under that name.
    const both = await modelWith({ ...paths, '/graphql/a': { get: done } }, {}, {});
    expect(named(both)).toEqual([...all, ['graphqlGroup', 'GraphqlGroupApi', 1]]);
  });

  it.each(['constructor', 'then', 'close'])(
    'of the tag %s do not hide what a client has',
    async (tag) => {
      const { groups } = await modelWith({ '/a': { get: { tags: [tag], ...done } } });
      expect(groups.map(({ name }) => name)).toEqual([`${tag}Group`]);
    },
  );

  it('have long names where short ones are not theirs alone', async () => {
    const operation = (operationId: string) => ({ operationId, tags: ['ships'], ...done });
    const { groups } = await modelWith({
      '/a': {
        get: operation('getShip'),
        put: operation('getShips'),
        post: operation('constructor'),
      },
      '/b': { get: operation('%'), put: operation('addShip'), post: operation('add-ship') },
    });
    const calls = groups.flatMap((group) => group.calls);
    expect(calls.map(({ name }) => name)).toEqual([
      ...['getShip', 'getShips', 'constructor2', 'call', 'add', 'addShip'],
    ]);
    expect(calls.map(({ typeName }) => typeName)).toEqual([
      ...['GetShip', 'GetShips', 'Constructor', 'Call2', 'AddShip', 'AddShip2'],
    ]);
  });

  it.each(['Options', 'Failure', 'Headers', 'Body', 'Result', 'Item'])(
    'leave a schema its name where it ends in %s',
    async (part) => {
      const paths = { '/a': { get: { operationId: 'ship', ...done } } };
      const components = { schemas: { [`Ship${part}`]: {} } };
      const { groups } = await modelWith(paths, { components });
      expect(groups[0]?.calls[0]?.typeName).toBe('Ship2');
    },
  );
});

/** Of a call in either language, and words that TypeScript takes for no name of a parameter (ECMAScript 12.7.2). */
const taken = [
  ...['signal', 'timeout', 'retries', 'headers', 'body', 'options', 'self', 'given', 'change'],
  ...['update', 'constructor', 'arguments', 'eval', 'await', 'break', 'case', 'catch', 'class'],
  ...['const', 'continue', 'debugger', 'default', 'delete', 'do', 'else', 'enum', 'export'],
  ...['extends', 'false', 'finally', 'for', 'function', 'if', 'import', 'in', 'instanceof', 'new'],
  ...['null', 'return', 'super', 'switch', 'this', 'throw', 'true', 'try', 'typeof', 'var', 'void'],
  ...['while', 'with', 'yield', 'let', 'static', 'implements', 'interface', 'package', 'private'],
  ...['protected', 'public'],
];

it('schemas do not take the names of errors and of the client', async () => {
  const get = { responses: { 404: { description: '' } } };
  const schemas = { NotFoundError: {}, GoneError: {}, T: {}, TOptions: {} };
  const { components } = await modelWith({ '/a': { get } }, { components: { schemas } });
  expect(components.map(({ name }) => name)).toEqual([
    ...['NotFoundErrorModel', 'GoneError', 'TModel', 'TOptionsModel'],
  ]);
});

it('a parameter by a name that a call or a language has is called otherwise', async () => {
  const parameters = [...taken, 'free'].map((name) => ({ name, in: 'query', schema: {} }));
  const { groups } = await modelWith({ '/a': { get: { parameters, ...done } } });
  const options = groups[0]?.calls[0]?.options ?? [];
  expect(options.map(({ name, key }) => [name, key])).toEqual([
    ...taken.map((name) => [name, `${name}Query`]),
    ['free', 'free'],
  ]);
});

it('parameters have names of their own, those of the path in its order', async () => {
  const parameters = [
    ...[inPath('b'), { name: 'a-b', in: 'header', schema: {} }, inPath('a')],
    ...['a_b', '2', '%'].map((name) => ({ name, in: 'query', schema: {} })),
  ];
  const { groups } = await modelWith({ '/{a}/{b}': { get: { parameters, ...done } } });
  const { inPath: first, options } = groups[0]?.calls[0] ?? expect.fail();
  expect([first, options].map((all) => all.map(({ key }) => key))).toEqual([
    ['a', 'b'],
    ['aB', 'aBQuery', '_2', 'value'],
  ]);
});

function inPath(name: string) {
  return { name, in: 'path', required: true, schema: {} };
}
