// engines: postgres
import { Pool } from 'pg';
import { expect, it, vi } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();

it('a server that stops ends the connections of its rate limit', async () => {
  const DATABASE_URL = await newDatabase();
  const settings = readSettings({ PORT: '0', ...atOnce, RATE_LIMIT: '3/60', DATABASE_URL });
  const server = await serve(api, { settings, log: createLog('silent', () => {}) });
  const { headers } = await fetch(`${server.url}/books`);
  expect(headers.get('ratelimit')).toMatch(/r=2/);
  const end = vi.spyOn(Pool.prototype, 'end');
  await server.stop();
  const names = end.mock.contexts.map((pool) => Object(pool).options.application_name);
  end.mockRestore();
  expect(names).toContain('accord rate limit');
});
