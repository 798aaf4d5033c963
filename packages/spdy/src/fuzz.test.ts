import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fuzzSession } from '../fuzz/session.ts';

it('survives 20 000 frames of damaged conversations within its bounds', async () => {
  const framesPerSession = 50;
  let refused = 0;
  for (let seed = 1; seed <= 400; seed++) {
    if ((await fuzzSession(seed, framesPerSession)).refused) refused++;
  }
  assert.ok(refused > 50, `only ${refused} of 400 sessions noticed damage: the fuzzer is too tame`);
  assert.ok(refused < 400, 'every session was refused: the fuzzer is too wild to reach deep');
});
