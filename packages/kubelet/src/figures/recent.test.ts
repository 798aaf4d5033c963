import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { Recent } from './recent.ts';

test('many who ask at once cost one reading, and the next moment another', async () => {
  const clock = new FakeClock();
  let readings = 0;
  const figures = new Recent({ clock, ageMs: 1_000, find: async () => ++readings });
  assert.deepEqual(await Promise.all([figures.get(), figures.get()]), [1, 1]);
  clock.advance(999);
  assert.equal(await figures.get(), 1);
  clock.advance(1);
  assert.equal(await figures.get(), 2);
});

test('a reading that failed is not kept', async () => {
  let failures = 1;
  const find = async () => {
    if (failures-- > 0) throw new Error('runtime is away');
    return 'there';
  };
  const figures = new Recent({ clock: new FakeClock(), ageMs: 1_000, find });
  await assert.rejects(figures.get(), /away/);
  assert.equal(await figures.get(), 'there');
});

test('an answer that was looked for before something changed is for those alone who asked before', async () => {
  let changes = 1;
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let readings = 0;
  const find = () => answers[readings++]!.promise;
  const figures = new Recent({ clock: new FakeClock(), ageMs: 1_000, find, changes: () => changes });
  const before = figures.get();
  changes += 1;
  const after = [figures.get(), figures.get()];
  answers[0]!.resolve('old');
  assert.equal(await before, 'old');
  answers[1]!.resolve('new');
  assert.deepEqual(await Promise.all(after), ['new', 'new']);
  assert.equal(await figures.get(), 'new');
  assert.equal(readings, 2);
});
