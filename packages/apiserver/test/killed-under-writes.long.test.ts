import { test } from 'node:test';
import { surviveKills } from './deaths/survive-kills.ts';

test('an API server that is killed twenty times under up to a thousand writes a second loses none that it acknowledged, and no event of a watch', async (t) => {
  const { writes, writesPerSecond } = await surviveKills({ kills: 20, writesPerSecond: 1_000, seed: 1 });
  t.diagnostic(`${writes} writes, ${writesPerSecond.toFixed(0)} a second while there was a server`);
});
