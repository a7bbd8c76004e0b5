import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/api-server.ts';

const server = useServer();
const dashboard = JSON.parse(
  readFileSync(new URL('../../docs/grafana.json', import.meta.url), 'utf8'),
);
type Query = readonly [title: string, query: string];
const queries: Query[] = [
  ...dashboard.panels.flatMap(
    ({ title, targets }: { title: string; targets: { expr: string }[] }) =>
      targets.map(({ expr }) => [title, expr] as const),
  ),
  ...dashboard.templating.list.flatMap(({ name, query }: { name: string; query: unknown }) =>
    typeof query === 'string' ? [] : [[name, Object(query).query]],
  ),
];

/** The name of a metric with the labels that a query asks of it. */
const asked = /\b((?:accord|process|nodejs)_[a-z_]+)(?:\{([^}]*)\})?/g;

describe('the dashboard', () => {
  let types: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const { text } = await server.api({ path: '/metrics' });
    const lines = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    types = new Map(lines.map((match) => [String(match[1]), String(match[2])]));
  });

  it.each(queries)('%s: %s names only metrics that there are, as what they are', (_, query) => {
    const names = [...query.matchAll(asked)].map((match) => String(match[1]));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
      const type = types.get(family);
      expect([name, type]).toEqual([name, family === name ? type : 'histogram']);
      expect(type).toBeDefined();
      // What only grows is of use by how fast it does.
      const isRate = new RegExp(`(rate|increase)\\(${name}\\b`).test(query);
      expect([name, isRate]).toEqual([name, type !== 'gauge']);
    }
  });

  it('shows every metric that there is', () => {
    const shown = new Set(
      queries.flatMap(([, query]) =>
        [...query.matchAll(asked)].map((match) => String(match[1]).replace(/_(bucket|sum)$/, '')),
      ),
    );
    expect([...types.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  it('has panels that do not lie over one another', () => {
    const cells = dashboard.panels.flatMap(
      ({ gridPos: { x, y, w, h } }: { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }) =>
        Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});
