import type { Container, EphemeralContainer, Pod } from '@wherry/kubeapi';
import { warnLine } from '../../kube/warnings.ts';

/** Says that rights which a profile gives do nothing for the user that the pod names. */
export function warnOfUser({ securityContext }: Container | EphemeralContainer, { spec }: Pod): void {
  if (!spec.securityContext?.runAsUser || !securityContext || securityContext.runAsUser === 0) return;
  const { privileged, capabilities } = securityContext;
  if (!privileged && !capabilities?.add?.length) return;
  warnLine(
    'Non-root user is configured for the entire target Pod, and some capabilities granted by debug profile may not work. Please consider using "--custom" with a custom profile that specifies "securityContext.runAsUser: 0".',
  );
}
