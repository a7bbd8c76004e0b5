import { run } from './kit/process/run.ts';

await run({ firstLook: '/books' });
