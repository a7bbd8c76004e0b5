// slow: compares generated operations
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  type ASTNode,
  execute as executePlainly,
  type FieldNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { present } from '../../../src/kit/errors.ts';
import { createIsCompilable } from '../../../src/kit/graphql/compilable.ts';
import { createPrepare, type Prepared } from '../../../src/kit/graphql/documents.ts';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { createExecute, type Operation } from '../../../src/kit/graphql/execution.ts';
import { defaultLimits } from '../../../src/kit/graphql/limits/limits.ts';
import { useServer } from '../../support/api-server.ts';
import { queriesOf } from '../../support/random-queries.ts';

const sdl = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
const schema = createSchema(sdl, api.resolvers);
const secret = 'a secret that is long enough for HS256';
const open = useServer({ SEED_DEMO: 'true' });
const closed = useServer({ SEED_DEMO: 'true', AUTH_SECRET: secret });

/** As often as it takes for a query to be compiled, and a little more. */
const OFTEN = 12;

describe('a query that is asked for often', () => {
  it.each([
    ['where all may read all', open],
    ['where e-mail addresses need a token', closed],
  ])('is answered as it was the first time, %s', async (_, server) => {
    await fc.assert(
      fc.asyncProperty(queriesOf(schema), fc.boolean(), async ({ query, variables }, isSigned) => {
        const headers = isSigned ? { authorization: `Bearer ${await token()}` } : {};
        const ask = async () => {
          const { status, text } = await server.graphql(query, variables, { ...headers });
          return `${status} ${text}`;
        };
        const first = await ask();
        for (let i = 1; i < OFTEN; i++) expect(await ask()).toBe(first);
      }),
      { numRuns: Number(process.env.COMPILED_RUNS ?? 50) },
    );
  });

  it('takes one statement, where all of it is read from tables', async () => {
    const counts: number[] = [];
    for (let i = 0; i < OFTEN; i++) {
      const before = open.statements();
      await open.graphql('{ users { name posts { title comments { body } } } }');
      counts.push(open.statements() - before);
    }
    // A document that is new is executed: users, posts and comments.
    expect(counts).toEqual([3, ...Array(OFTEN - 1).fill(1)]);
  });

  it.each([
    [
      'mutation ($v: String!) { addTodo(title: $v) { title } }',
      ['', 'a', '\u0000', 'x'.repeat(999)],
    ],
    ['mutation ($v: ID!) { setTodoDone(id: $v, done: true) { id done } }', ['1', '0', 'x', 99999]],
    ['mutation ($v: ID!) { addComment(postId: $v, body: "b") { body } }', ['1', '0', '99999', {}]],
    [
      'mutation ($v: String!) { createUser(name: "n", email: $v) { id } }',
      ['ada@example.com', '@'],
    ],
  ])('may be %s', async (query, values) => {
    for (const v of values) {
      const ask = async () => {
        const { status, text } = await open.graphql(query, { v });
        return `${status} ${text}`;
      };
      // A user that is there now was not there before.
      await ask();
      const first = await ask();
      for (let i = 2; i < OFTEN; i++) expect(await ask()).toBe(first);
    }
  });

  it('that needs a token is refused without one each time', async () => {
    const query = 'mutation { addTodo(title: "a") { title } }';
    const ask = async (headers = {}) => (await closed.graphql(query, {}, headers)).text;
    const refused = await ask();
    expect(refused).toContain('UNAUTHENTICATED');
    const headers = { authorization: `Bearer ${await token()}` };
    for (let i = 1; i < OFTEN; i++) {
      expect(await ask()).toBe(refused);
      expect(await ask(headers)).toBe('{"data":{"addTodo":{"title":"a"}}}');
    }
  });

  it('may call a field what it likes', async () => {
    const query = '{ user(id: 1) { __proto__: id constructor: name toString: name } }';
    const ask = async () => (await open.graphql(query)).text;
    const first = await ask();
    expect(first).toContain('"__proto__":"1"');
    for (let i = 1; i < OFTEN; i++) expect(await ask()).toBe(first);
  });

  it('shows what was changed in between', async () => {
    const ask = async () => (await open.graphql('{ todos { title } }')).json.data.todos.length;
    for (let i = 0; i < OFTEN; i++) await ask();
    const before = await ask();
    await open.graphql('mutation { addTodo(title: "another") { id } }');
    expect(await ask()).toBe(before + 1);
  });

  it('chooses the operation by its name each time', async () => {
    const query = 'query A { __typename } query B { b: __typename }';
    const ask = async (operationName?: string) =>
      (await open.api({ method: 'POST', path: '/graphql', json: { query, operationName } })).json;
    for (let i = 0; i < OFTEN; i++) {
      expect(await ask('A')).toEqual({ data: { __typename: 'Query' } });
      expect(await ask('B')).toEqual({ data: { b: 'Query' } });
      expect((await ask()).errors).toHaveLength(1);
      expect((await ask('C')).errors).toHaveLength(1);
    }
  });

  it('may be the introspection', async () => {
    const ask = async () => (await open.graphql(getIntrospectionQuery())).text;
    const first = await ask();
    for (let i = 0; i < OFTEN; i++) expect(await ask()).toBe(first);
  });
});

describe('compiled execution', () => {
  it.each([
    ['{ a }', true],
    ['mutation { m }', true],
    // One that fails might leave the others undone.
    ['mutation { m n: m }', false],
    ['mutation { ... { m } }', false],
    ['{ a @skip(if: false) }', false],
    ['{ __schema { description } }', false],
    ['{ __proto__: a }', false],
    ['{ a_b: a }', false],
    ['query ($n: Int) { n(n: $n) }', true],
    ['query ($n: Int = 1) { n(n: $n) }', true],
    ['query ($n: Int! = 1) { n(n: $n) }', false],
    ['{ n(n: 1) }', true],
    ['{ n(text: "1") }', false],
    ['{ n(list: [1]) }', false],
    ['query ($list: [Int]) { n(list: $list) }', false],
    ['{ first }', false],
  ])('is what answers %s after a while: %s', async (query, isCompiled) => {
    const on = createSchema(
      `type Query { a: Int n(n: Int, text: String, list: [Int]): Int first(first: Int = 1): Int }
       type Mutation { m: Int }`,
      { Query: { a: () => 1, n: () => 1, first: () => 1 }, Mutation: { m: () => 1 } },
    );
    expect((await repeatedly(on, query)).times).toBe(isCompiled ? OFTEN - 9 : 0);
  });

  it.each([
    ['throws', () => throwBroken(), 'm { a }'],
    ['throws later', async () => throwBroken(), 'm { a }'],
    ['gives what has no such field', () => ({}), 'm { a b }'],
    ['gives what fails in a field', () => ({ a: throwBroken, b: 2 }), 'm { b a }'],
    ['gives nothing', () => null, 'm { a }'],
  ])('makes a change once, also where it %s', async (_, change, selection) => {
    let calls = 0;
    const isWell = () => calls <= OFTEN;
    const on = createSchema(
      'type Query { a: Int } type Mutation { m: M } type M { a: Int! b: Int }',
      {
        Query: { a: () => 1 },
        Mutation: { m: () => (++calls && isWell() ? { a: 1, b: 2 } : change()) },
      },
    );
    const query = `mutation { ${selection} }`;
    const { ask } = await repeatedly(on, query);
    expect(calls).toBe(OFTEN);
    const answer = await ask();
    expect(calls).toBe(OFTEN + 1);
    const document = parse(query);
    const plain = await executePlainly({ schema: on, document, contextValue: {} });
    expect(JSON.stringify(answer)).toBe(JSON.stringify(plain));
  });

  it('gives way to graphql’s own where anything fails, and runs nothing twice that goes well', async () => {
    let calls = 0;
    let fails = false;
    const resolvers = {
      Query: {
        a: () => {
          calls++;
          if (fails) throw new Error('broken');
          return 1;
        },
      },
    };
    const failing = createSchema('type Query { a: Int }', resolvers);
    const { ask } = await repeatedly(failing, '{ a }');
    expect(calls).toBe(OFTEN);
    fails = true;
    const answer = await ask();
    expect(calls).toBe(OFTEN + 2);
    const plain = await executePlainly({ schema: failing, document: parse('{ a }') });
    expect(JSON.stringify(answer)).toBe(JSON.stringify(plain));
    calls = 0;
    await ask();
    expect(calls).toBe(1);
  });
});

describe('this API’s own operations', () => {
  const document = parse(
    readFileSync(new URL('../../../operations.graphql', import.meta.url), 'utf8'),
  );
  const operations = document.definitions
    .filter((each) => each.kind === Kind.OPERATION_DEFINITION)
    .filter((each) => !readsObjects(each));

  /** Whether it selects from an object that no resolver gives, which graphql-jit does not read as graphql does. */
  function readsObjects(operation: ASTNode): boolean {
    const types = new TypeInfo(schema);
    let isFound = false;
    const Field = ({ selectionSet }: FieldNode) => {
      if (selectionSet && !types.getFieldDef()?.resolve) isFound = true;
    };
    visit(operation, visitWithTypeInfo(types, { Field }));
    return isFound;
  }

  it('are there', () => expect(operations.length).toBeGreaterThan(5));

  it.each(operations.map((each) => [each.name?.value, each] as const))(
    'are compiled: %s',
    (_, each) => {
      expect(createIsCompilable(schema)(each, document)).toBe(true);
    },
  );
});

describe('compiled operations', () => {
  it('are counted each for itself, and the least recently used of them is dropped', async () => {
    const on = createSchema('type Query { a: Int }', { Query: { a: () => 1 } });
    let times = 0;
    const execute = createExecute(on, () => times++);
    const source = Array.from({ length: 110 }, (_, i) => `query Q${i} { a }`).join(' ');
    const { document, operations } = prepared(on, source);
    const ask = async (operation: Operation | undefined, often = 1) => {
      times = 0;
      const asked = { document, operation: present(operation), variables: {}, contextOf };
      for (let i = 0; i < often; i++) await execute(asked);
      return times;
    };
    for (const each of operations) expect(await ask(each, 9)).toBe(0);
    for (const each of operations) expect(await ask(each)).toBe(1);
    // The first ten made room for the last ten.
    expect(await ask(operations[0])).toBe(0);
    expect(await ask(operations[9])).toBe(0);
    expect(await ask(operations[109])).toBe(1);
    expect(await ask(operations[10])).toBe(1);
    // One that was dropped is compiled again when it was used ten times.
    expect(await ask(operations[0], 8)).toBe(0);
    expect(await ask(operations[0])).toBe(1);
  });
});

describe('documents', () => {
  const options = { limits: defaultLimits, introspection: true, onLookup: () => {} };

  it('with faults are not kept: their errors hold more than they do', () => {
    const prepare = createPrepare(schema, options);
    expect(prepare('{ nothing }')).toHaveProperty('faults');
    expect(prepare('{ nothing }')).not.toBe(prepare('{ nothing }'));
  });

  it('are weighed by their tokens as well', () => {
    const prepare = createPrepare(schema, options);
    const first = prepare('{ __typename }');
    const operations = Array.from({ length: 190 }, (_, i) => `query Q${i} { __typename }`).join(
      ' ',
    );
    for (let i = 0; i < 40; i++) prepare(`${operations} query Last${i} { __typename }`);
    expect(prepare('{ __typename }')).not.toBe(first);
  });

  it('are kept, but not without bound', () => {
    const lookups: boolean[] = [];
    const onLookup = (isKnown: boolean) => lookups.push(isKnown);
    const prepare = createPrepare(schema, { ...options, onLookup });
    const first = prepare('{ __typename }');
    expect(prepare('{ __typename }')).toBe(first);
    for (let i = 0; i < 1000; i++) prepare(`{ a${i}: __typename }`);
    expect(prepare('{ __typename }')).not.toBe(first);
    expect(lookups.filter(Boolean)).toHaveLength(1);
    // A few that are large push out the others as well.
    const small = prepare('{ small: __typename }');
    for (let i = 0; i < 90; i++) prepare(`{ __typename } #${i}${' '.repeat(99_000)}`);
    expect(prepare('{ small: __typename }')).not.toBe(small);
  });
});

const contextOf = () => ({});

function throwBroken(): never {
  throw new Error('broken');
}

async function repeatedly(on: GraphQLSchema, query: string) {
  let times = 0;
  const execute = createExecute(on, () => times++);
  const { document, operations } = prepared(on, query);
  const asked = { document, operation: present(operations[0]), variables: {}, contextOf };
  const ask = () => execute(asked);
  for (let i = 0; i < OFTEN; i++) await ask();
  return { times, ask };
}

function prepared(on: GraphQLSchema, source: string): Prepared {
  const options = { limits: defaultLimits, introspection: true, onLookup: () => {} };
  const found = createPrepare(on, options)(source);
  if ('faults' in found) throw new Error(String(found.faults));
  return found;
}

function token(): Promise<string> {
  return new SignJWT({ sub: 'ada' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
}
