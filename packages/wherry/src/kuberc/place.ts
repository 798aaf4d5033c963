/** Where kubectl's file of preferences is (upstream: staging/src/k8s.io/kubectl/pkg/kuberc). */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../errors.ts';

/** A file of preferences. */
export interface KubercPlace {
  path: string;
  /** Somebody named it: it has to be there and to be read. */
  isExplicit: boolean;
}

/** Whether there are preferences at all: not with `KUBECTL_KUBERC=false`. */
export const hasKuberc = (environment: NodeJS.ProcessEnv = process.env): boolean =>
  environment['KUBECTL_KUBERC']?.toLowerCase() !== 'false';

/** The file of `--kuberc`, of `$KUBERC`, or `~/.kube/kuberc`; undefined with `KUBERC=off`. Throws `CommandError` for both. */
export function kubercPlace(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): KubercPlace | undefined {
  const named = environment['KUBERC'] ?? '';
  if (named === 'off') {
    if (!flag) return undefined;
    throw new CommandError('disabling kuberc via KUBERC=off and passing kuberc flag are mutually exclusive');
  }
  const usual = join(environment['HOME'] ?? homedir(), '.kube', 'kuberc');
  const path = flag || usual;
  if (path === usual && named !== '') return { path: named, isExplicit: true };
  return { path, isExplicit: Boolean(flag) };
}
