import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import { serveGraphql } from '../../support/graphql-server.ts';

/** What the resolver throws next. */
let thrown: unknown;
let server: Awaited<ReturnType<typeof serveGraphql>>;
beforeAll(async () => {
  const fails = () => {
    throw thrown;
  };
  server = await serveGraphql('type Query { fails: Int }', { Query: { fails } });
});
afterAll(() => server.stop());

/** The error that a client sees, and what is logged of it. */
async function answerTo(error: unknown) {
  thrown = error;
  const before = server.failures.length;
  const { status, json } = await server.graphql('{ fails }');
  expect([status, json.data, json.errors.length]).toEqual([200, { fails: null }, 1]);
  const [{ message, extensions, locations, path }] = json.errors;
  expect([locations, path]).toEqual([[{ line: 1, column: 3 }], ['fails']]);
  return { message, extensions, log: server.failures.slice(before).join() };
}

describe('A refusal of the API', () => {
  it.each([
    ['unauthenticated', 'UNAUTHENTICATED', 'This needs a valid token in the Authorization header.'],
    ['forbidden', 'FORBIDDEN', 'The caller may not do this.'],
    ['not-found', 'NOT_FOUND', 'There is no such record.'],
    ['conflict', 'CONFLICT', 'There is such a record already.'],
    ['unavailable', 'UNAVAILABLE', 'The server cannot answer now; try again later.'],
  ] as const)('%s is %s, with its own words or with these', async (code, extension, message) => {
    const extensions = { code: extension };
    const plain = await answerTo(new ApiError(code, { cause: new Error('the cause') }));
    expect(plain).toMatchObject({ message, extensions });
    // That the server cannot answer is for its log as well.
    expect(plain.log.includes('the cause')).toBe(code === 'unavailable');
    expect(await answerTo(new ApiError(code, { detail: 'Not today.' }))).toMatchObject({
      message: 'Not today.',
      extensions,
    });
  });

  it.each([
    ...(['method-not-allowed', 'request-timeout', 'precondition-failed'] as const),
    ...(['payload-too-large', 'key-reused', 'too-many-requests'] as const),
    ...(['headers-too-large', 'internal-error'] as const),
  ])('%s is none that GraphQL has a code for: it is masked and logged', async (code) => {
    const found = await answerTo(new ApiError(code, { detail: `the secret of ${code}` }));
    expect(found).toMatchObject({
      message: 'Internal server error',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    });
    expect(found.log).toContain(`the secret of ${code}`);
  });

  it.each([
    [[{ path: '/where/size', message: 'is wrong' }], 'Argument "where.size" is wrong.'],
    [[{ path: '/body/name', message: 'is wrong' }], 'Argument "name" is wrong.'],
    [[{ path: '/body', message: 'is wrong' }], 'Argument "body" is wrong.'],
    [
      [
        { path: '/a/b/c', message: 'is one' },
        { path: '/d', message: 'is two' },
      ],
      'Argument "a.b.c" is one. Argument "d" is two.',
    ],
    [[], 'All of it is wrong.'],
    [undefined, 'All of it is wrong.'],
  ])('of the input %j names the arguments', async (errors, message) => {
    const detail = 'All of it is wrong.';
    const error = new ApiError('invalid-request', { detail, ...(errors && { errors }) });
    const found = await answerTo(error);
    expect(found).toEqual({ message, extensions: { code: 'BAD_USER_INPUT' }, log: '' });
  });
});

describe('What a resolver throws', () => {
  it('may have a code of its own', async () => {
    const error = new GraphQLError('Mine.', { extensions: { code: 'CONFLICT', secret: 1 } });
    const extensions = { code: 'CONFLICT' };
    expect(await answerTo(error)).toEqual({ message: 'Mine.', extensions, log: '' });
  });

  it.each([
    [new GraphQLError('the secret')],
    [new GraphQLError('the secret', { extensions: { code: 5 } })],
    [new Error('the secret')],
    [new Error('what is seen', { cause: new Error('the secret') })],
    ['the secret'],
  ])('is masked and logged else: %s', async (error) => {
    const found = await answerTo(error);
    expect(found).toMatchObject({
      message: 'Internal server error',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    });
    expect(found.log).toContain('the secret');
  });

  it('is told in at most 500 characters, all of them whole', async () => {
    const told = async (detail: string) =>
      (await answerTo(new ApiError('conflict', { detail }))).message;
    expect(await told('x'.repeat(500))).toBe('x'.repeat(500));
    expect(await told('x'.repeat(501))).toBe('x'.repeat(500));
    expect(await told(`${'x'.repeat(498)}😀`)).toBe(`${'x'.repeat(498)}😀`);
    expect(await told(`${'x'.repeat(499)}😀`)).toBe(`${'x'.repeat(499)}\ufffd`);
  });
});
