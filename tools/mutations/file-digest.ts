import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export function fileDigest(file: string): string {
  return textDigest(readFileSync(file, 'utf8'));
}

export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
