/** `describe` beside the kubectl of this machine, where that is one of 1.32 or later. */
import { kubectlMinor, unlessKubectlHas } from '../../../../e2e/kubectl-version.ts';
import { testDescriptions } from './run-lines.ts';

testDescriptions({
  minor: kubectlMinor,
  kubectl: async () => 'kubectl',
  skip: unlessKubectlHas('the flags and words of 1.32'),
});
