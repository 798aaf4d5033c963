import { ownValue } from '@wherry/kubeapi';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { type MemoryNodes, memoryNodesMax } from './memory-nodes.ts';
import type { MergeRules } from './merge-hints.ts';
import { flagOption, requireOptions } from './policy-option.ts';

const allowedNodes = 8;

type TopologyFields = Pick<KubeletConfiguration, 'topologyManagerPolicy' | 'topologyManagerPolicyOptions'>;

/** The rules that the configuration asks for. Throws where it can't have them on this machine. */
export function topologyRules(
  { topologyManagerPolicy: policy, topologyManagerPolicyOptions: given }: TopologyFields,
  nodes: MemoryNodes,
): MergeRules {
  if (policy === 'none') return { policy, nodes, prefersClosest: false };
  requireOptions('topologyManagerPolicyOptions', given, [
    'prefer-closest-numa-nodes',
    'max-allowable-numa-nodes',
  ]);
  const prefersClosest = flagOption(given, 'prefer-closest-numa-nodes');
  const most = nodesOption(ownValue(given, 'max-allowable-numa-nodes'));
  if (prefersClosest && !nodes.hasDistances)
    throw new Error('the kernel does not say how far memory nodes are from one another');
  if (nodes.ids.length > most)
    throw new Error(
      `topology policies are not for machines of more than ${most} memory nodes; this one has ${nodes.ids.length}`,
    );
  return { policy, nodes, prefersClosest };
}

function nodesOption(text: string | undefined): number {
  const most = text === undefined ? allowedNodes : Number(text);
  if (Number.isSafeInteger(most) && most >= allowedNodes) return Math.min(most, memoryNodesMax);
  throw new Error(
    `max-allowable-numa-nodes is ${JSON.stringify(text)}; give a whole number of at least ${allowedNodes}`,
  );
}
