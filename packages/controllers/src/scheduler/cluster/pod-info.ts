import type { ContainerPort, Pod } from '@wherry/kubeapi/objects';
import {
  type Amounts,
  amountsForSpreading,
  amountsOfNewcomer,
  hostPorts,
  podClaims,
  requestedBy,
  unitsOf,
} from '@wherry/podrules';
import { type PodShape, shapeOf } from './pod-shape.ts';

type SpreadingRequests = Readonly<{ cpu: number; memory: number }>;

/** A pod and what scheduling needs of it, worked out once. */
export interface PodInfo {
  pod: Pod;
  uid: string;
  /** `namespace/name`. */
  key: string;
  priority: number;
  shape: PodShape;
  /** What it asks for, in millicores, bytes and pieces. */
  requests: ReadonlyMap<string, number>;
  /** The same of processor and memory, where a container that asks for none counts for a little. */
  spreadingRequests: SpreadingRequests;
  /** That as long as it has no node. */
  newcomerRequests: SpreadingRequests;
  hostPorts: readonly ContainerPort[];
  /** The claims of its volumes, as `namespace/name`. */
  claims: readonly string[];
}

const known = new WeakMap<Pod, PodInfo>();

/** Works a pod out; pod objects never change. */
export function podInfo(pod: Pod): PodInfo {
  const cached = known.get(pod);
  if (cached) return cached;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const info: PodInfo = {
    ...{ pod, uid, key: `${namespace}/${name}`, priority: pod.spec?.priority ?? 0, shape: shapeOf(pod) },
    requests: requestedBy(pod),
    spreadingRequests: processorAndMemory(amountsForSpreading(pod)),
    newcomerRequests: processorAndMemory(amountsOfNewcomer(pod)),
    hostPorts: hostPorts(pod),
    claims: podClaims(pod).map(({ claimName }) => `${namespace}/${claimName}`),
  };
  known.set(pod, info);
  return info;
}

function processorAndMemory(amounts: Amounts): SpreadingRequests {
  const units = (resource: string) => {
    const amount = amounts.get(resource);
    return amount ? unitsOf(resource, amount) : 0;
  };
  return { cpu: units('cpu'), memory: units('memory') };
}
