import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Script = Pick<Profiler.ScriptCoverage, 'url' | 'functions'>;

/** Ranges of a file's text, `[start, end]`, in order. */
export type Ranges = readonly (readonly [number, number])[];

/** Joins V8's coverage of many processes into the ranges of each file below a folder that any of them executed. */
export function createPainting(folder: string) {
  const painted = new Map<string, Uint8Array>();
  return {
    add(scripts: readonly Script[]): void {
      for (const { url, functions } of scripts) {
        const file = url.startsWith('file:') ? fileURLToPath(url) : '';
        if (!file.startsWith(`${folder}/`)) continue;
        const whole = painted.get(file) ?? new Uint8Array(readFileSync(file, 'utf8').length);
        paint(whole, functions);
        painted.set(file, whole);
      }
    },
    /** By the path from the working directory. */
    covered(): Map<string, Ranges> {
      const files = [...painted];
      return new Map(files.map(([file, whole]) => [relative('', file), rangesOf(whole)]));
    },
  };
}

// An inner range counts for itself, whatever the count of the one around it.
function paint(whole: Uint8Array, functions: Script['functions']): void {
  const own = new Uint8Array(whole.length);
  const ranges = functions.flatMap((each) => each.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges) {
    own.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  own.forEach((isCovered, at) => {
    if (isCovered) whole[at] = 1;
  });
}

function rangesOf(whole: Uint8Array): Ranges {
  const ranges: [number, number][] = [];
  for (let at = whole.indexOf(1); at !== -1; ) {
    const end = whole.indexOf(0, at);
    ranges.push([at, end === -1 ? whole.length : end]);
    at = end === -1 ? -1 : whole.indexOf(1, end);
  }
  return ranges;
}
