import { test } from 'vitest';
import { followsItsSource, needsRoot, reachesPods } from './scenarios.ts';

test('copies follow their source', followsItsSource, 60_000);
test.skipIf(needsRoot)('a pod finds the copy', reachesPods, 60_000);
