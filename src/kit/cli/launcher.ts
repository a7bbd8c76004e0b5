#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// The command of the package. npm scripts and npx find the Node that the package depends on; a global installation is
// started by the machine's own, which may be older: this file must run on Node 20.
const LEAST = 24;
const { node } = process.versions;

if (Number.parseInt(node, 10) >= LEAST) await import('./accord.ts');
else startNewer();

function startNewer(): void {
  const program = newerNode();
  if (program === undefined) {
    const told = `accord: needs Node ${LEAST}, and this is ${node}: npm install node@${LEAST}, or nodejs.org\n`;
    process.stderr.write(told);
    process.exitCode = 2;
    return;
  }
  const child = spawn(program, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** The program in the package `node`. */
function newerNode(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return undefined;
  }
}
