import { mergeConfig } from 'vitest/config';
import config from '../../.vitest.config.ts';

// Node itself loads the files, so that offsets in its coverage are those of the source.
const experimental = { viteModuleRunner: false };
const setupFiles = ['tools/mutations/reach-setup.ts'];

export default mergeConfig(config, {
  root: new URL('../..', import.meta.url).pathname,
  test: { experimental, setupFiles },
});
