/** `wherry debug` beside the kubectl on PATH: the same words, and the same objects in an API server that runs nothing. */
import { kubectlMinor, unlessKubectlHas } from '../kubectl-version.ts';
import { testDebugLines } from './run-lines.ts';

testDebugLines(kubectlMinor, async () => 'kubectl', unlessKubectlHas('the flags and words of 1.32'));
