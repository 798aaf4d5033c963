import { test } from '@jest/globals';
import { followsItsSource, needsRoot, reachesPods } from './scenarios.ts';

test('copies follow their source', followsItsSource, 60_000);
(needsRoot ? test.skip : test)('a pod finds the copy', reachesPods, 60_000);
