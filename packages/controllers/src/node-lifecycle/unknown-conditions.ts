import type { Node, NodeCondition } from '@wherry/kubeapi/objects';

/** What the kubelet says of its node; other conditions are those of whoever wrote them. */
const ofKubelet = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a node whose kubelet is silent (upstream: tryUpdateNodeHealth). */
export function unknownConditions({ metadata, status }: Node, now: string): NodeCondition[] {
  const known = status?.conditions ?? [];
  const isLost = ({ type, status }: NodeCondition) => ofKubelet.includes(type) && status !== 'Unknown';
  const lost = {
    ...{ status: 'Unknown', lastTransitionTime: now },
    ...{ reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' },
  } as const;
  const neverTold = ofKubelet
    .filter((type) => !known.some((condition) => condition.type === type))
    .map((type): NodeCondition => {
      const { creationTimestamp } = metadata ?? {};
      return {
        ...{ type, status: 'Unknown', lastTransitionTime: now },
        ...(creationTimestamp ? { lastHeartbeatTime: creationTimestamp } : {}),
        ...{ reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' },
      };
    });
  return [
    ...known.map((condition) => (isLost(condition) ? { ...condition, ...lost } : condition)),
    ...neverTold,
  ];
}
