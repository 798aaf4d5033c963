/** Which pod of several is the best one, as kubectl has it (k8s.io/kubectl, pkg/util/podutils). */
import type { ContainerStatus, Pod } from '@wherry/kubeapi/objects';

type Order = (one: Pod, other: Pod) => number;

/** Of pods behind one name the one that a session is best made to comes first: it runs, is ready and stays, for the longest time and with the fewest restarts. */
export const forSessions: Order = firstThatTells([
  lowest(({ spec }) => Number(!spec.nodeName)),
  lowest(({ status }) => place(['Running', 'Unknown'], status?.phase)),
  lowest((pod) => Number(readySince(pod) === undefined)),
  lowest(({ metadata }) => Number(metadata.deletionTimestamp !== undefined)),
  lowest((pod) => readySince(pod) ?? 0),
  lowest((pod) => restarts(pod)),
  lowest((pod) => restartsBeside(pod)),
  lowest(madeAt),
]);

/** The one whose log says most comes first; it may be on its way out, and many restarts go before few. */
export const forLogs: Order = firstThatTells([
  lowest(({ spec }) => Number(!spec.nodeName)),
  lowest(({ status }) => (status?.phase === 'Pending' ? 2 : Number(status?.phase === 'Unknown'))),
  lowest((pod) => Number(readySince(pod) === undefined)),
  lowest((pod) => readySince(pod) ?? 0),
  lowest((pod) => -restarts(pod)),
  lowest((pod) => -restartsBeside(pod)),
  lowest(madeAt),
]);

function firstThatTells(orders: readonly Order[]): Order {
  return (one, other) => orders.reduce((told, order) => told || order(one, other), 0);
}

function lowest(of: (pod: Pod) => number): Order {
  return (one, other) => of(one) - of(other);
}

/** Its place in a list; behind all for what is not there. */
function place(list: readonly string[], word: string | undefined): number {
  const at = list.indexOf(word ?? '');
  return at === -1 ? list.length : at;
}

/** Milliseconds since the epoch; undefined for a pod that is not ready. */
function readySince({ status }: Pod): number | undefined {
  const ready = status?.conditions?.find((one) => one.type === 'Ready' && one.status === 'True');
  return ready && Date.parse(ready.lastTransitionTime ?? '');
}

const most = (statuses: readonly ContainerStatus[]): number =>
  Math.max(0, ...statuses.map(({ restartCount }) => restartCount));

function restarts({ status }: Pod): number {
  return most(status?.containerStatuses ?? []);
}

/** Of init containers that run beside the others. */
function restartsBeside({ spec, status }: Pod): number {
  const { initContainers = [] } = spec;
  const beside = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  const names = new Set(beside.map(({ name }) => name));
  return most((status?.initContainerStatuses ?? []).filter(({ name }) => names.has(name)));
}

function madeAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '') || 0;
}
