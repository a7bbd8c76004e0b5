import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { freePort } from '../../../tools/support/free-port.ts';
import { realTime, shortSleeps, turns, until } from '../../support/fake-time.ts';
import { startScripted } from '../../support/scripted-postgres.ts';

afterEach(realTime);

describe('a store whose database is away', () => {
  it('looks for it four times a second, says so every 30 s, and is closed at once', async () => {
    const sleeps = shortSleeps();
    // No time passes but that which it waits; a session says goodbye for up to 1 s.
    const now = () => sleeps.filter((ms) => ms !== 1000).reduce((sum, ms) => sum + ms, 0);
    vi.spyOn(performance, 'now').mockImplementation(now);
    const said: number[] = [];
    const { store, ready } = await openStore(`postgres://u@127.0.0.1:${await freePort()}/d`, {
      ...api,
      onWaiting: (cause) => {
        expect(cause).toMatchObject({ code: 'ECONNREFUSED' });
        said.push(now());
      },
    });
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await until(() => said.length === 3);
    expect(said).toEqual([0, 30_000, 60_000]);
    expect(sleeps).toContain(250);
    await store.close();
    await expect(ready).rejects.toThrow();
    const attempts = sleeps.length;
    await turns(100);
    expect(sleeps.length).toBe(attempts);
  });
});

describe('a store that the database refuses', () => {
  it.each(['28P01', '3D000'])('with %s says so, to whom asks later too', async (code) => {
    const host = await startScripted(() => code);
    const onWaiting = vi.fn();
    const { store, ready } = await openStore(host.address, { ...api, onWaiting });
    await until(() => host.sessions() === 1 && host.open() === 0);
    await turns(100);
    await expect(ready).rejects.toMatchObject({ code });
    expect(onWaiting).not.toHaveBeenCalled();
    expect(host.sessions()).toBe(1);
    await store.close();
    await host.stop();
  });

  it('for now is waited for', async () => {
    const host = await startScripted(() => '57P03');
    const onWaiting = vi.fn();
    const { store, ready } = await openStore(host.address, { ...api, onWaiting });
    await until(() => host.sessions() > 1);
    expect(onWaiting.mock.calls).toEqual([[expect.objectContaining({ code: '57P03' })]]);
    await store.close();
    await expect(ready).rejects.toThrow();
    await host.stop();
  });
});
