import { rmSync } from 'node:fs';

/** Before all tests: what earlier ones counted is not counted again. */
export function setup(): void {
  rmSync('artefacts/contract-coverage', { recursive: true, force: true });
}
