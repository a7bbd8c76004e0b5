import { api } from './api/api.ts';
import { run } from './kit/process/run.ts';

await run(api);
