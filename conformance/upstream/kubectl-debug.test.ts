/** `wherry debug` beside the kubectl of its version: what it says and stores, to the letter. */
import { testDebugLines } from '../../e2e/debug-lines/run-lines.ts';
import { buildKubectl } from '../e2e/build.ts';

testDebugLines(36, buildKubectl, false);
