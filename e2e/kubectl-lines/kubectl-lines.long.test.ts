/** Command lines of upstream's documentation topics, by the kubectl on PATH. */
import { kubectlMinor } from '../kubectl-version.ts';
import { testLines } from './run-lines.ts';

testLines(kubectlMinor);
