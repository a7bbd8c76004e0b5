import { ApiError } from '../errors.ts';
import { fromJson } from '../json-text.ts';
import type { Collection, Identified, Stored } from '../store/store.ts';
import { evaluated, type Preconditions } from './etag.ts';
import type { Patched } from './patched-input.ts';

// Each attempt that fails is the success of another writer.
const ATTEMPTS = 50;

type Patch = {
  readonly path: { readonly id: number };
  readonly headers: Preconditions;
  readonly body: unknown;
};

/**
 * Applies a patch to the version of a record that it was merged with; where others write meanwhile, to theirs. Undefined
 * if there is no such record.
 */
export async function patchRecord<R extends Identified, Input>(
  records: Collection<R, Input>,
  { path: { id }, headers, body }: Patch,
  patched: Patched,
): Promise<Stored<R> | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const found = await records.get(id);
    if (!found) return undefined;
    const { version, json } = found;
    if (evaluated(headers, version) !== 'given') throw new ApiError('precondition-failed');
    // The contract's input admitted it.
    const fields = patched(fromJson(json), body) as Input;
    const condition = { among: [version], notAmong: [] };
    const written = await records.replace(id, fields, condition).catch(isOvertaken);
    if (written !== true) return written;
  }
  throw new ApiError('unavailable', {
    cause: `record ${id} changed before each of ${ATTEMPTS} writes`,
  });
}

/** True if another writer was first; any other failure is thrown. */
function isOvertaken(error: unknown): true {
  if (error instanceof ApiError && error.code === 'precondition-failed') return true;
  throw error;
}
