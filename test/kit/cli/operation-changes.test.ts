// engines: sqlite
import { describe, expect, it, vi } from 'vitest';
import { changesText } from '../../support/changes-text.ts';
import { edited, operationChanges, skyDocument } from '../../support/operation-changes.ts';

const before = { openapi: JSON.stringify(skyDocument()) };

describe('what accord diff says of a change in an operation', () => {
  it.each(Object.entries(operationChanges))('is as written: %s', async (name, table) => {
    const said = table.map(async (edit) => {
      const [what] = edit;
      const after = { openapi: JSON.stringify(edited(edit)) };
      expect(after, what).not.toEqual(before);
      const [there, back] = [await changesText(before, after), await changesText(after, before)];
      return `## ${what}\n\n${there || 'Nothing.\n'}\n${back || 'Nothing.\n'}`;
    });
    const text = (await Promise.all(said)).join('\n');
    await expect(text).toMatchFileSnapshot(`expected/operation-changes-${name}.txt`);
  });
});

describe('an operation that goes', () => {
  const moons = 'paths /moons get';
  const ending = (...marks: [string, unknown][]) => {
    const puts = marks.map(([name, value]) => [`${moons} ${name}`, value] as const);
    return changesText(
      { openapi: JSON.stringify(edited(['before', ...puts])) },
      { openapi: JSON.stringify(edited(['after', ['paths /moons', undefined]])) },
    );
  };
  const deprecated: [string, unknown] = ['deprecated', true];

  it('may go from its day on', async () => {
    const day = '2026-11-16T12:00:00.000Z';
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(day) });
    try {
      expect(await ending(deprecated, ['x-sunset', day])).toMatch(/^decision /);
      vi.setSystemTime(Date.parse(day) - 1);
      expect(await ending(deprecated, ['x-sunset', day])).toMatch(/^breaking /);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each<[string, [string, unknown][], string]>([
    [
      'that was deprecated until a day that has come',
      [deprecated, ['x-sunset', '2026-01-01']],
      'decision',
    ],
    [
      'that was deprecated until a day to come',
      [deprecated, ['x-sunset', '2999-01-01']],
      'breaking',
    ],
    ['that was deprecated without a day', [deprecated], 'breaking'],
    ['that had a day and was not deprecated', [['x-sunset', '2026-01-01']], 'breaking'],
  ])('%s is %s', async (_, marks, level) => {
    const said = await ending(...marks);
    expect(said.startsWith(`${level} gone operation-removed`)).toBe(true);
    expect(said.includes('It was deprecated, and its end announced for 2026-01-01')).toBe(
      level === 'decision',
    );
  });
});
