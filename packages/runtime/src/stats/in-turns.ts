import { setImmediate as otherWork } from 'node:timers/promises';

/**
 * Begins work on each item in a turn of its own: a hundred readings of control groups at once would hold up every other
 * call. What has begun goes on beside the rest. Rejects with what the first failed one says.
 */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  let turn: Promise<unknown> = Promise.resolve();
  return Promise.all(
    items.map((item) => {
      const begun = turn.then(() => work(item));
      turn = turn.then(() => otherWork());
      return begun;
    }),
  );
}
