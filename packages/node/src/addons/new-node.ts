import { type KubeClient, kinds } from '@wherry/client';
import type { NodeRecord } from '../layout/record.ts';
import { rangesIn } from '../roles/ranges-in.ts';

/** Marks the node that the API server runs on, as kubeadm does: `kubectl get nodes` shows it as its role. A kubelet may not. */
const controlPlaneLabel = 'node-role.kubernetes.io/control-plane';

/**
 * Says in a node's object, once it is there, what its kubelet does not: which addresses its pods get, and whether it serves
 * the cluster. An object that was told before stays as it is, without the label too where somebody took it away.
 */
export async function describeNewNode(
  client: KubeClient,
  { name, podCidr, joins }: NodeRecord,
): Promise<void> {
  const nodes = client.resource(kinds.nodes);
  const { spec } = await nodes.get({ name });
  if (spec?.podCIDRs?.length) return;
  const podCIDRs = rangesIn(podCidr);
  const labels = joins === undefined ? { [controlPlaneLabel]: '' } : {};
  const patch = { metadata: { labels }, spec: { podCIDR: podCIDRs[0], podCIDRs } };
  await nodes.patch({ name, type: 'merge', patch });
}
