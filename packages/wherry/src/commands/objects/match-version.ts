import { kubernetesVersion } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';

/** Throws `CommandError` where the server is of another release of Kubernetes than this program. */
export async function checkServerVersion(flags: KubeFlags): Promise<void> {
  const request = { method: 'GET', path: '/version' };
  const { gitVersion } = await clientFor(flags).request<{ gitVersion: string }>(request);
  if (gitVersion.replace(/\+.*/s, '') !== kubernetesVersion)
    throw new CommandError(
      `server version (${gitVersion}) differs from client version (${kubernetesVersion})`,
    );
}
