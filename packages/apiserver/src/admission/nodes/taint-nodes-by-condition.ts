import type { Node, Taint } from '@wherry/kubeapi';
import { taintKeys } from '@wherry/podrules';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin } from '../admission.ts';

const notReady: Taint = { key: taintKeys.notReady, effect: 'NoSchedule' };

/**
 * New nodes get no pods that do not tolerate it before the node life-cycle has seen that they are ready: what their
 * kubelet says at first is that they are not.
 */
export function taintNodesByCondition(): AdmissionPlugin {
  return {
    name: 'TaintNodesByCondition',
    handles: [{ operations: ['CREATE'], resources: ['/nodes'] }],
    admit({ object }) {
      const node = as<Node>(object!);
      const taints = node.spec?.taints ?? [];
      if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return;
      node.spec = { ...node.spec, taints: [...taints, { ...notReady }] };
    },
  };
}
