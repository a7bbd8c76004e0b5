/** Numbers from 0 to below 1 that follow from a seed. */
export type Random = () => number;

/** With this one, values made from schemas are the plain ones of openapi-sampler. */
export const DEFAULT_SEED = 1;

/** The generator that Bob Jenkins called small (sfc32): the same seed gives the same numbers everywhere. */
export function createRandom(seed: string): Random {
  let a = hashOf(seed);
  let b = hashOf(`${seed}b`);
  let c = hashOf(`${seed}c`);
  let count = 1;
  return () => {
    const sum = (a + b + count++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
}

/** A whole number below 2^32 for a text: FNV-1a, with the last step of MurmurHash 3. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** One of several. */
export function pick<T>(random: Random, values: readonly T[]): T | undefined {
  return values[Math.floor(random() * values.length)];
}

/** A whole number from `least` to `most`. */
export function integerWithin(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** A UUID of version 4. */
export function uuidOf(random: Random): string {
  const digits = (length: number) =>
    Array.from({ length }, () => integerWithin(random, 0, 15).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
}

const WORDS = [
  ...['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbor', 'indigo', 'juniper'],
  ...[
    'kelp',
    'linden',
    'maple',
    'nectar',
    'orchid',
    'pebble',
    'quartz',
    'river',
    'saffron',
    'tulip',
  ],
  ...['umber', 'velvet', 'willow', 'yarrow', 'zephyr'],
];

/** A few words. */
export function wordsOf(random: Random, most = 3): string {
  const count = integerWithin(random, 1, most);
  return Array.from({ length: count }, () => pick(random, WORDS)).join(' ');
}

/** A time of 2026 to the second, as ISO 8601 writes it. */
export function timeOf(random: Random): string {
  const start = Date.UTC(2026, 0, 1);
  const seconds = integerWithin(random, 0, 365 * 86_400 - 1);
  return new Date(start + seconds * 1000).toISOString().replace('.000', '');
}
