// engines: sqlite
import { diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { diffContracts } from '../../src/kit/cli/review/diff.ts';
import { type Planted, plantedInRest, plantedInSdl } from '../support/planted-changes.ts';
import { plantedOpenapi, plantedSdl } from '../support/planted-contracts.ts';

const base = { name: 'before', openapi: plantedOpenapi, sdl: plantedSdl };
const ours = { error: 'breaking', warning: 'decision', info: 'safe', nothing: 'safe' };

describe.each([
  ['openapi', plantedInRest],
  ['sdl', plantedInSdl],
] as const)('a change in the %s contract', (key, table) => {
  it('is planted at least thirty times', () => {
    expect(table.length).toBeGreaterThanOrEqual(30);
  });

  it.each(table.map((each) => [each.what, each] as const))('%s', async (_, planted: Planted) => {
    const text = base[key].replace(planted.from, planted.to);
    expect(text).not.toBe(base[key]);
    const { level, changes } = await diffContracts(base, { ...base, [key]: text });
    expect([level, changes[0]?.message]).toEqual([planted.level, planted.sentence]);
    // Another verdict than that of the tools that others use has a reason.
    const theirs = planted.oasdiff
      ? [Object.entries(ours).find(([name]) => name === planted.oasdiff)?.[1]]
      : await inspected(text);
    if (!planted.reason) expect(theirs).toContain(level);
    else expect(theirs).not.toContain(level);
  });
});

/** The gravest that GraphQL Inspector finds. */
async function inspected(sdl: string): Promise<string[]> {
  const found = await diff(buildSchema(plantedSdl), buildSchema(sdl));
  const levels = found.map(({ criticality }) => String(criticality.level));
  if (levels.includes('BREAKING')) return ['breaking'];
  return [levels.includes('DANGEROUS') ? 'decision' : 'safe'];
}
