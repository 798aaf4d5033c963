import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type KnownDifference, type Outcome, surprises } from './outcome.ts';
import { TestCommands, type Turn } from './play.ts';

/** Preparing builds kubectl; a turn through all functions makes some four thousand calls. */
const timeout = 5_400_000;

const commands = process.env['TEST_CMD_ONLY'];

/** Makes each function of test/cmd a test. One that differs has a second chance beside servers of its own. */
export async function judge(turn: Turn, known: readonly KnownDifference[]): Promise<void> {
  const played = await TestCommands.prepare(turn);
  const all = await played.names();
  const names = all.filter((name) => commands === undefined || new RegExp(commands).test(name));
  let outcomes = new Map<string, Outcome>();

  const surprisesOf = (name: string) => surprises(name, outcomes.get(name) ?? { code: 1, unmet: [] }, known);
  const isSurprising = (name: string) => Object.values(surprisesOf(name)).some(({ length }) => length > 0);

  describe(`test/cmd, typed with ${turn.client}`, { timeout }, () => {
    before(
      async () => {
        outcomes = await played.run(names);
        const suspects = names.filter(isSurprising);
        if (suspects.length > 0) outcomes = new Map([...outcomes, ...(await played.run(suspects))]);
      },
      { timeout },
    );
    after(() => played.close());

    for (const name of names) {
      test(name, async () => {
        const found = surprisesOf(name);
        if (isSurprising(name)) console.log((await played.said(name)).slice(-4_000));
        assert.deepEqual(found, { unknown: [], gone: [] });
      });
    }
    test('whatever is known to differ is a function of the scripts', () => {
      assert.deepEqual(
        known.map(({ name }) => name).filter((name) => !all.includes(name)),
        [],
      );
    });
  });
}
