// engines: postgres
import { expect, it } from 'vitest';
import { api } from '../../src/api/api.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { serve } from '../../src/kit/serve.ts';
import { atOnce } from '../../tools/support/server-process.ts';
import { needPostgres, newDatabase } from '../support/engine.ts';
import { openLink } from '../support/link.ts';

needPostgres();

it('a start is over when the database is there, though the server listens before', async () => {
  const link = await openLink(await newDatabase(), 'closed');
  const waiting = Promise.withResolvers<string>();
  const lines: string[] = [];
  const log = createLog('info', (line) => {
    lines.push(line);
    const [, url] = line.match(/Listening at (\S+), waiting for the database/) ?? [];
    if (url) waiting.resolve(url);
  });
  const settings = readSettings({ ...atOnce, PORT: '0', DATABASE_URL: link.address });
  let isOver = false;
  const starting = serve(api, { settings, log }).then((running) => {
    isOver = true;
    return running;
  });
  const url = await waiting.promise;
  const status = async (path: string) => (await fetch(url + path)).status;
  expect([await status('/healthz'), await status('/readyz'), isOver]).toEqual([200, 503, false]);
  expect(lines.join()).not.toContain('Connected to');
  await link.open();
  const { stop } = await starting;
  expect([await status('/readyz'), await status('/books')]).toEqual([200, 200]);
  expect(lines.join()).toContain('Connected to the database');
  await stop();
  await link.cut();
});
