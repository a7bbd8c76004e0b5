/** How many more turns of the event loop a group is waited for while each brings more. */
const MOST_TURNS = 3;

/** Goes on after a turn of the event loop that did not add to a group. */
export function whenGathered(
  size: () => number,
  goOn: () => void,
  before = size(),
  turnsLeft = MOST_TURNS,
): void {
  setImmediate(() => {
    const now = size();
    if (now > before && turnsLeft > 0) whenGathered(size, goOn, now, turnsLeft - 1);
    else goOn();
  });
}
