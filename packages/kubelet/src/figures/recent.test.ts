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
