import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What one start keeps for the next. */
export const cacheFolder = new URL('../../../node_modules/.cache/accord/', import.meta.url);

/**
 * Keeps the code of modules that are loaded from now on in compiled form, types stripped, for the next start; written
 * when the process exits. Where the folder cannot be written each start compiles. NODE_COMPILE_CACHE names another
 * folder, NODE_DISABLE_COMPILE_CACHE turns it off.
 */
export function keepCompiledCode(): void {
  // Not Node's default below the shared /tmp: whoever could write there would choose what this process runs.
  enableCompileCache(fileURLToPath(cacheFolder));
}
