import assert from 'node:assert/strict';
import { test } from 'node:test';
import { surviveRandomDeaths } from './random-deaths.ts';

test('containers whose runtime and monitor are killed at random moments end with their code and log, and leave nothing', async () => {
  assert.deepEqual(await surviveRandomDeaths({ subnet: 41, seed: 1, lives: 24 }), []);
});
