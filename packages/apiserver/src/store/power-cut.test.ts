import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tryPowerCuts } from '../../test/power-cuts.ts';

it('after a power cut at any moment every acknowledged write is there, and nothing by half', async () => {
  const count = await tryPowerCuts({ roundCount: 120, cutsMax: 60, seed: 1 });
  assert.equal(count, 240);
});
