import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileKit } from './compile-kit.ts';
import { packageManifest } from './package-manifest.ts';

/** Writes the kit as an npm package, accord-<version>.tgz, to the folder of --out. */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
const root = fileURLToPath(new URL('../../', import.meta.url));
const out = resolve(values.out);
const folder = mkdtempSync(join(tmpdir(), 'accord-pack-'));

try {
  compileKit(root, join(folder, 'dist'));
  chmodSync(join(folder, 'dist/kit/cli/launcher.js'), 0o755);
  const manifest = packageManifest(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'README.md'), readme());
  mkdirSync(out, { recursive: true });
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', out];
  const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
  process.stdout.write(`${join(out, name)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** The section of the README on projects that depend on the package. */
function readme(): string {
  const heading = '## Start from your own contracts\n';
  const [, rest = ''] = readFileSync(join(root, 'README.md'), 'utf8').split(heading);
  const [section = ''] = rest.split(/^## /m);
  return `# accord\n${section}`;
}
