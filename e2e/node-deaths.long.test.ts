import { test } from 'node:test';
import { surviveNodeDeaths } from './deaths/node-deaths.ts';
import { stretched } from './slowness.ts';

test(
  'kubelet and runtime killed at random moments under churn: API server and runtime agree again, nothing restarts needlessly',
  {
    timeout: stretched(300_000),
  },
  () => surviveNodeDeaths({ deaths: 6, seed: 1, agreeMs: 30_000 }),
);
