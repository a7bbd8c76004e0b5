import { createHash, hash, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { version } from 'graphql';
import type { CheckCache } from '../contract/check-cache.ts';
import { cacheFolder } from './compile-cache.ts';

/**
 * Keeps which contracts passed all checks, a file each, for the next start. What cannot be read, is damaged or belongs
 * to another user is as if it were not there; what cannot be written is not kept.
 */
export function createKeptChecks(
  folder = new URL('checks/', cacheFolder),
  checker = attempt(checkerDigest),
): CheckCache {
  if (checker === undefined) return () => ({ warnings: undefined, keep() {} });
  return (subject) => {
    const key = hash('sha256', JSON.stringify([checker, subject]));
    const file = new URL(`${key}.json`, folder);
    return {
      warnings: attempt(() => linesIn(file)),
      keep: (warnings) => void attempt(() => write(folder, file, JSON.stringify(warnings))),
    };
  };
}

// Each change of a contract makes one more.
const MOST_FILES = 100;

/** Tells what checks contracts from any other version of it: the kit's own code, packages and Node. */
function checkerDigest(): string {
  const digest = createHash('sha256');
  for (const folder of ['../contract/', '../graphql/'].map(
    (each) => new URL(each, import.meta.url),
  )) {
    for (const name of readdirSync(folder).toSorted()) {
      // A package has declarations and source maps too.
      if (extname(name) !== extname(import.meta.url)) continue;
      digest.update(name).update(readFileSync(new URL(name, folder)));
    }
  }
  const require = createRequire(import.meta.url);
  const packages = ['ajv', 'ajv-formats', '@seriousme/openapi-schema-validator'];
  const versions = packages.map((name) => require(`${name}/package.json`).version);
  return digest.update([process.version, version, ...versions].join()).digest('hex');
}

function linesIn(file: URL): string[] | undefined {
  // Whatever else stands in its place, a FIFO, too, is not waited for.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.uid !== (process.getuid?.() ?? 0)) return undefined;
    const lines: unknown = JSON.parse(readFileSync(descriptor, 'utf8'));
    const areLines = Array.isArray(lines) && lines.every((each) => typeof each === 'string');
    return areLines ? lines : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Under its name a file is whole from the beginning, however many processes write it. */
function write(folder: URL, file: URL, text: string): void {
  mkdirSync(folder, { recursive: true });
  const draft = new URL(`${randomUUID()}.draft`, folder);
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  const files = readdirSync(folder).map((name) => new URL(name, folder));
  const byAge = files.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of byAge.slice(MOST_FILES)) rmSync(old, { force: true });
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
