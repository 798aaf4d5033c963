import { test } from 'node:test';
import { followsItsSource, needsRoot, reachesPods } from './scenarios.ts';

test('copies follow their source', followsItsSource);
test('a pod finds the copy', { skip: needsRoot }, reachesPods);
