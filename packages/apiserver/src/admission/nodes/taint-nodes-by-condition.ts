import type { Node, Taint } from '@wherry/kubeapi';
import { taintKeys } from '@wherry/podrules';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin } from '../admission.ts';

const notReady: Taint = { key: taintKeys.notReady, effect: 'NoSchedule' };

/**
 * New nodes get no pods before the node life-cycle has seen that they are ready. Wherry's scheduler waits for that
 * without a taint, and need not then wait for the taint to be taken off; for others, switch the plug-in on.
 */
export function taintNodesByCondition(): AdmissionPlugin {
  return {
    name: 'TaintNodesByCondition',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE'], resources: ['/nodes'] }],
    admit({ object }) {
      const node = as<Node>(object!);
      const taints = node.spec?.taints ?? [];
      if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return;
      node.spec = { ...node.spec, taints: [...taints, { ...notReady }] };
    },
  };
}
