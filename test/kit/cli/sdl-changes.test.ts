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
