/** `wherry describe` beside the kubectl of its version: what it says of every kind, to the letter. */
import { testDescriptions } from '../../packages/wherry/test/describe/run-lines.ts';
import { buildKubectl } from '../e2e/build.ts';

testDescriptions(36, buildKubectl, false);
