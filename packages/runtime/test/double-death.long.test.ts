import { test } from 'node:test';
import { surviveDoubleDeaths } from './double-death.ts';

test('monitor and runtime killed at once, a hundred times: every container that ends meanwhile has its exit code and every line', () =>
  surviveDoubleDeaths(18, 100));
