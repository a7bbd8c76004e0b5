import { api } from '../../src/api/api.ts';
import { openStore } from '../../src/kit/store/open-store.ts';

// A process that opens the databases that it is told of, and says how that went.
process.on('message', async (address: string) => {
  try {
    await (await openStore(address, api)).store.close();
    process.send?.('opened');
  } catch (error) {
    process.send?.(String(error));
  }
});
