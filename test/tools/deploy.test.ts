import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../src/kit/process/settings.ts';

const root = new URL('../../', import.meta.url);
const read = (name: string) => readFileSync(new URL(`docs/deploy/${name}`, root), 'utf8');

const unit = read('accord.service');
const image = read('Dockerfile');
const { services } = parse(read('compose.yaml'));

it('the unit starts what is there, with settings that are admitted, as a user of its own', () => {
  const [, node = '', main = ''] =
    unit.match(/^ExecStart=\/opt\/accord\/(\S+) \/opt\/accord\/(\S+)$/m) ?? [];
  expect([node, main].map((path) => existsSync(new URL(path, root)))).toEqual([true, true]);
  const [, settings = ''] = unit.match(/^Environment=(.+)$/m) ?? [];
  const env = Object.fromEntries(settings.split(' ').map((each) => each.split('=')));
  expect(readSettings(env)).toMatchObject({ host: '127.0.0.1', seedDemo: false });
  expect(unit).toMatch(/^DynamicUser=yes$/m);
});

it('the image has what the server reads, and serves without rights', () => {
  const copied = [...image.matchAll(/^COPY ([^-].*) \S+$/gm)].flatMap((match) =>
    String(match[1]).split(' '),
  );
  const ignored = read('Dockerfile.dockerignore');
  for (const name of [
    'src',
    'openapi.yaml',
    'schema.graphql',
    'operations.graphql',
    'CHANGELOG.md',
  ]) {
    expect(copied).toContain(name);
  }
  for (const name of copied) {
    expect([name, existsSync(new URL(name, root))]).toEqual([name, true]);
    expect(ignored).toContain(`!${name}\n`);
  }
  const [, settings = ''] = image.match(/^ENV (.+)$/m) ?? [];
  const env = Object.fromEntries(settings.split(' ').map((each) => each.split('=')));
  expect(readSettings(env)).toMatchObject({ host: '0.0.0.0', seedDemo: false });
  expect(image).toMatch(/^USER node$/m);
  expect(image).toMatch(/^HEALTHCHECK /m);
});

it('the services have settings that are admitted, health checks, and time to drain', () => {
  const { environment, stop_grace_period } = services.accord;
  const text = JSON.stringify(environment).replaceAll(/\$\{[A-Z_]+:[?-][^}]*\}/g, '');
  expect(readSettings(JSON.parse(text)).databaseUrl).toBe('postgres://accord:@database/accord');
  expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(30);
  expect(services.database.healthcheck.test).toContain('pg_isready');
  expect(services.accord.depends_on.database.condition).toBe('service_healthy');
});
