import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createClientQueue } from '../../src/kit/client-queue.ts';

type Client = string | undefined;
type Step = readonly ['push' | 'remove', Client, number] | readonly ['shift'];

/** The same in plain words: clients in the order of their turns, each with what waits. */
function createModel() {
  let turns: { readonly client: Client; readonly items: number[] }[] = [];
  return {
    push(client: Client, item: number) {
      const own = turns.find((each) => each.client === client);
      if (own) own.items.push(item);
      else turns.push({ client, items: [item] });
    },
    shift() {
      const [first, ...others] = turns;
      const item = first?.items.shift();
      turns = first && first.items.length > 0 ? [...others, first] : others;
      return item;
    },
    remove(client: Client, item: number) {
      const items = turns.find((each) => each.client === client)?.items ?? [];
      if (items.includes(item)) items.splice(items.indexOf(item), 1);
      turns = turns.filter((each) => each.items.length > 0);
    },
    isEmpty: () => turns.length === 0,
  };
}

const client = fc.constantFrom<Client>('a', 'b', 'c', undefined);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant('push' as const), client, fc.nat(5)),
  fc.tuple(fc.constant('push' as const), client, fc.nat(5)),
  fc.tuple(fc.constant('remove' as const), client, fc.nat(5)),
  fc.constant(['shift'] as const),
);

it('what waits comes in turns of its clients, and in the order of each', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [queue, model] = [createClientQueue<number>(), createModel()];
      for (const [what, whose, item = 0] of [...steps, ...Array(40).fill(['shift'])]) {
        const told = [queue, model].map((each) =>
          what === 'shift' ? each.shift() : each[what as 'push'](whose, item),
        );
        expect(told[0]).toBe(told[1]);
        expect(queue.isEmpty()).toBe(model.isEmpty());
      }
    }),
    { numRuns: 300 },
  );
});
