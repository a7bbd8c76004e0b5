// engines: sqlite
import { describe, expect, it } from 'vitest';
import { changesText } from '../../support/changes-text.ts';
import { plantedInSdl } from '../../support/planted-changes.ts';
import { plantedSdl } from '../../support/planted-contracts.ts';

type Edit = readonly [what: string, from: string | RegExp, to: string];

/** What is said of each edit of an SDL, and of the same the other way round. */
async function saidOf(sdl: string, edits: readonly Edit[]): Promise<string> {
  const said = edits.map(async ([what, from, to]) => {
    const changed = sdl.replace(from, to);
    expect(changed, what).not.toBe(sdl);
    const [there, back] = [
      await changesText({ sdl }, { sdl: changed }),
      await changesText({ sdl: changed }, { sdl }),
    ];
    return `## ${what}\n\n${there || 'Nothing.\n'}\n${back || 'Nothing.\n'}`;
  });
  return (await Promise.all(said)).join('\n');
}

describe('what accord diff says of a change in an SDL', () => {
  it('is as written', async () => {
    const planted = plantedInSdl.map(({ what, from, to }): Edit => [what, from, to]);
    await expect(await saidOf(plantedSdl, planted)).toMatchFileSnapshot('expected/sdl-changes.txt');
  });

  it('is as written of @bounds', async () => {
    const sdl = `directive @bounds(minLength: Int, maxLength: Int, minimum: Float, maximum: Float, minItems: Int, maxItems: Int, format: String) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
type Query { find(name: String @bounds(maxLength: 9), size: Int): Int }
type It implements Reads { find(name: String, size: Int): Int }
interface Reads { find(name: String, size: Int @bounds(minimum: 1)): Int }
input Filter { tags: [String] }
`;
    const bounds = (text: string): Edit => [
      text,
      'tags: [String]',
      `tags: [String] @bounds(${text})`,
    ];
    const edits: readonly Edit[] = [
      ...['minLength: 0', 'minLength: 1', 'maxLength: 3', 'minimum: 0', 'minimum: -1'].map(bounds),
      ...['maximum: 7', 'minItems: 0', 'minItems: 1', 'maxItems: 3', 'format: "EMAIL"'].map(bounds),
      bounds('minLength: 1, maxLength: 3, minimum: 1, maximum: 3, minItems: 1, maxItems: 3'),
      ['less of an argument', 'maxLength: 9', 'maxLength: 8'],
      ['the same in other words', 'maxLength: 9', 'minLength: 0, maxLength: 9'],
      ['more and less', 'maxLength: 9', 'minLength: 1, maxLength: 10'],
      ['of an interface', 'minimum: 1', 'minimum: 2'],
      ['none of an argument', ' @bounds(maxLength: 9)', ''],
      ['of an argument that is gone', 'name: String @bounds(maxLength: 9), ', ''],
    ];
    await expect(await saidOf(sdl, edits)).toMatchFileSnapshot('expected/sdl-changes-bounds.txt');
  });

  const voyages = `schema {
  query: Query
  mutation: Mutation
  subscription: Subscription
}
directive @cost(weight: Int, per: Int) on FIELD_DEFINITION | SCHEMA
directive @bounds(minimum: Float) on ARGUMENT_DEFINITION
type Query {
  ports(first: Int = 20, tags: [String!], near: Point, size: Int @deprecated(reason: "No.") @bounds(minimum: 1)): [Port!]!
}
type Mutation {
  land(name: String!): Boolean!
}
type Subscription {
  landed: Port! @cost(weight: 1)
}
interface Lit {
  shade: Shade
}
type Port {
  name: String!
  kind: Kind
  old: Int @deprecated(reason: "Use kind.")
}
enum Kind {
  SEA
  LAKE @deprecated(reason: "Use SEA.")
}
enum Shade {
  DARK
}
input Point {
  x: Float = 1
  tags: [String!]
}
`;

  it('is as written of what comes with words and parts of its own', async () => {
    const kind = '  kind: Kind\n';
    const edits: readonly Edit[] = [
      [
        'a field',
        kind,
        `${kind}  "Its size."\n  size("Of it." unit: String = "m", part: Int!): Float\n`,
      ],
      ['a value', '  SEA\n', '  SEA\n  "Of water." RIVER\n'],
      ['an argument', 'near: Point', 'near: Point, "Until." last: Int'],
      ['an input field', 'x: Float = 1', 'x: Float = 1\n  "Up." y: Float'],
      ['an input field with a default', 'x: Float = 1', 'x: Float = 1\n  y: Float! = 3'],
      [
        'a type',
        'enum Kind',
        '"A ship."\ntype Ship implements Lit {\n  "Its shade."\n  shade("In." in: String): Shade\n}\nenum Kind',
      ],
      ['an input', 'enum Kind', '"Of it."\ninput Size { "How." deep: Int! = 3 }\nenum Kind'],
      ['an enum', 'enum Kind', '"Of it."\nenum Wind { "From there." NORTH }\nenum Kind'],
      [
        'a directive',
        'enum Kind',
        '"A mark."\ndirective @mark("How." how: Int!) on FIELD\nenum Kind',
      ],
      ['a subscription', 'landed: Port!', 'sunk: Port!\n  landed: Port!'],
    ];
    await expect(await saidOf(voyages, edits)).toMatchFileSnapshot('expected/sdl-changes-new.txt');
  });

  it('is as written of what changes in its words, defaults, directives and roots', async () => {
    const edits: readonly Edit[] = [
      ['why a field is deprecated', 'Use kind.', 'Use name.'],
      ['why a value is deprecated', 'Use SEA.', 'Use none.'],
      ['a value that is deprecated', '  SEA\n', '  SEA @deprecated(reason: "Use LAKE.")\n'],
      ['an argument that is deprecated', 'first: Int = 20', 'first: Int = 20 @deprecated'],
      ['no default of an argument', 'first: Int = 20', 'first: Int'],
      ['items of an argument', 'tags: [String!],', 'tags: [String],'],
      ['no default of an input field', 'x: Float = 1', 'x: Float'],
      ['items of an input field', 'tags: [String!]\n', 'tags: [String]\n'],
      ['an enum that only an interface answers', 'DARK', 'DARK\n  LIGHT'],
      ['an argument of a directive', ', per: Int', ''],
      ['where a directive may stand', ' | SCHEMA', ''],
      ['a directive on a field', '  kind: Kind\n', '  kind: Kind @cost(weight: 1)\n'],
      [
        'another argument of a directive on a field',
        'Port! @cost(weight: 1)',
        'Port! @cost(per: 2)',
      ],
      ['a directive on the schema', 'schema {', 'schema @cost(weight: 1) {'],
      ['bounds behind another directive', 'minimum: 1', 'minimum: 2'],
      ['another directive before bounds', '"No."', '"Never."'],
      ['another type for reads', 'query: Query', 'query: Port'],
      ['another type for writes', 'mutation: Mutation', 'mutation: Port'],
      ['no writes', '  mutation: Mutation\n', ''],
      ['no subscriptions', '  subscription: Subscription\n', ''],
    ];
    const text = await saidOf(voyages, edits);
    await expect(text).toMatchFileSnapshot('expected/sdl-changes-parts.txt');
  });

  it('is about operations where the roots have other names', async () => {
    const named = voyages.replaceAll(/\b(Query|Mutation|Subscription)\b/g, '$1Root');
    const edits: readonly Edit[] = [
      ['a read', 'ports(first', 'port: Port\n  ports(first'],
      ['a write', 'land(name', 'leave: Boolean\n  land(name'],
      ['a subscription', 'landed: Port!', 'sunk: Port!\n  landed: Port!'],
    ];
    await expect(await saidOf(named, edits)).toMatchFileSnapshot('expected/sdl-changes-roots.txt');
  });

  it('is nothing where the text is the same, and one thing where there is no other', async () => {
    expect(await changesText({ sdl: plantedSdl }, { sdl: plantedSdl })).toBe('');
    const openapi = 'openapi: 3.1.0\npaths: {}\n';
    const both = { openapi, sdl: plantedSdl };
    await expect(
      [
        await changesText({ openapi }, both),
        await changesText(both, { openapi }),
        await changesText({ sdl: plantedSdl }, both),
        await changesText(both, { sdl: plantedSdl }),
      ].join('\n'),
    ).toMatchFileSnapshot('expected/whole-contracts.txt');
  });
});
