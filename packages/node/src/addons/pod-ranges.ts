import { type KubeClient, kinds } from '@wherry/client';
import type { NodeRecord } from '../layout/record.ts';
import { rangesIn } from '../roles/ranges-in.ts';

/** Says in the node's object which addresses its pods get, once it is there; ranges that it has never change. */
export async function tellPodRanges(client: KubeClient, { name, podCidr }: NodeRecord): Promise<void> {
  const nodes = client.resource(kinds.nodes);
  const { spec } = await nodes.get({ name });
  if (spec?.podCIDRs?.length) return;
  const podCIDRs = rangesIn(podCidr);
  await nodes.patch({ name, type: 'merge', patch: { spec: { podCIDR: podCIDRs[0], podCIDRs } } });
}
