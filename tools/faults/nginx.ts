import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accepts, freePort } from '../support/free-port.ts';
import { requireProgram } from './program.ts';

export type Nginx = { readonly url: string; stop(): Promise<void> };

/** Runs nginx with docs/nginx.conf in front of two instances, as a process of its own. */
export async function startNginx(ports: readonly [string, string]): Promise<Nginx> {
  requireProgram('nginx', '-v');
  const folder = mkdtempSync(join(tmpdir(), 'accord-nginx-'));
  // Its worker runs as another user when this is root.
  chmodSync(folder, 0o711);
  const port = String(await freePort());
  const conf = readFileSync(new URL('../../docs/nginx.conf', import.meta.url), 'utf8')
    .replace(':3001', `:${ports[0]}`)
    .replace(':3002', `:${ports[1]}`)
    .replace(':8080', `:${port}`);
  writeFileSync(join(folder, 'nginx.conf'), conf);
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf'], { stdio: 'inherit' });
  process.once('exit', () => child.kill());
  while (!(await accepts(Number(port)))) await sleep(20);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
