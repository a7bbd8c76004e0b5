import { keepCompiledCode } from './kit/process/compile-cache.ts';

// Static imports would be loaded before.
keepCompiledCode();
const { api } = await import('./api/api.ts');
const { run } = await import('./kit/process/run.ts');

await run(api);
