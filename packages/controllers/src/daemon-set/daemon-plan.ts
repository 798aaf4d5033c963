import { type DaemonSet, type DaemonSetStatus, type Node, ownValue, type Pod } from '@wherry/kubeapi/objects';
import { isFinished, isPodReady, podAvailableInMs } from '@wherry/podrules';
import { scaledCount } from '../ownership/int-or-percent.ts';
import { revisionHashLabel } from '../ownership/revision-history.ts';
import { isUpdated, nodeOfPod, placeOn } from './daemon-pod.ts';

/** What is to be done for a set. */
export interface DaemonPlan {
  remove: Pod[];
  /** Have ended on a node that should have one that runs: they go as well, but not all at once. */
  ended: Pod[];
  /** Names of nodes that need a pod. */
  add: string[];
}

/** What a plan is made of. */
export interface DaemonFacts {
  set: DaemonSet;
  nodes: readonly Node[];
  pods: readonly Pod[];
  /** Of the present template. */
  hash: string;
  nowMs: number;
}

type ByNode = Map<string, Pod[]>;

const nameOf = ({ metadata }: Node) => metadata.name ?? '';

/** The pods by the node that they are meant for, those in front first that are placed, and oldest. */
function byNode(pods: readonly Pod[]): ByNode {
  const left = pods.filter((pod) => !(isFinished(pod) && pod.metadata.deletionTimestamp));
  const placed = ({ spec }: Pod) => (spec?.nodeName ? 0 : 1);
  const order = ({ metadata }: Pod) => `${metadata.creationTimestamp} ${metadata.name}`;
  left.sort((a, b) => placed(a) - placed(b) || order(a).localeCompare(order(b)));
  return Map.groupBy(
    left.filter((pod) => nodeOfPod(pod) !== undefined),
    (pod) => nodeOfPod(pod)!,
  );
}

function isAvailable({ set, nowMs }: DaemonFacts, pod: Pod): boolean {
  return podAvailableInMs(pod, set.spec.minReadySeconds ?? 0, nowMs) === 0;
}

/** How many nodes may have two pods, of so many: only a rolling update makes a second one. */
function surgeOf({ spec }: DaemonSet, desired: number): number {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  return type === 'OnDelete' ? 0 : scaledCount(rollingUpdate?.maxSurge, desired, 'up');
}

/** How many nodes may be without a pod that serves, and how many may have two, while a set is updated. */
function updateBounds({ set, nodes }: DaemonFacts): { maxSurge: number; maxUnavailable: number } {
  const desired = nodes.filter((node) => placeOn(set, node).shouldRun).length;
  const { rollingUpdate } = set.spec.updateStrategy ?? {};
  const maxSurge = surgeOf(set, desired);
  const maxUnavailable = scaledCount(rollingUpdate?.maxUnavailable ?? 1, desired, 'up');
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable };
}

/** One pod for each node that should have one, and none where none may be (upstream: podsShouldBeOnNode). */
export function planPlaces(facts: DaemonFacts): DaemonPlan {
  const { set, nodes, hash } = facts;
  const pods = byNode(facts.pods);
  const allowsSurge = surgeOf(set, 1) > 0;
  const plan: DaemonPlan = { remove: [], ended: [], add: [] };
  for (const node of nodes) {
    const { shouldRun, mayStay } = placeOn(set, node);
    const here = pods.get(nameOf(node)) ?? [];
    const alive = here.filter(({ metadata }) => !metadata.deletionTimestamp);
    const running = alive.filter((pod) => !isFinished(pod));
    if (!mayStay) plan.remove.push(...alive);
    else if (here.length === 0) plan.add.push(...(shouldRun ? [nameOf(node)] : []));
    else {
      plan.ended.push(...alive.filter(isFinished));
      if (!allowsSurge) plan.remove.push(...running.slice(1));
      else if (running.length === 0 && shouldRun) plan.add.push(nameOf(node));
      else plan.remove.push(...replaced(facts, running, hash));
    }
  }
  const known = new Set(nodes.map(nameOf));
  const isHomeless = (pod: Pod) => !pod.spec?.nodeName && !pod.metadata.deletionTimestamp;
  for (const [name, there] of pods) if (!known.has(name)) plan.remove.push(...there.filter(isHomeless));
  return plan;
}

/** Of an old and a new pod on one node the old one goes when the new one serves, or the old one does not. */
function replaced(facts: DaemonFacts, running: readonly Pod[], hash: string): Pod[] {
  const updated = running.filter(({ metadata }) => ownValue(metadata.labels, revisionHashLabel) === hash);
  const old = running.filter((pod) => !updated.includes(pod));
  const surplus = [...updated.slice(1), ...old.slice(1)];
  const [newest, oldest] = [updated[0], old[0]];
  const isOver = newest && oldest && (!isPodReady(oldest) || isAvailable(facts, newest));
  return isOver ? [...surplus, oldest] : surplus;
}

/** What a rolling update does next (upstream: rollingUpdate). */
export function planUpdate(facts: DaemonFacts): DaemonPlan {
  const { set, nodes, hash } = facts;
  if (set.spec.updateStrategy?.type === 'OnDelete') return { remove: [], ended: [], add: [] };
  const { maxSurge, maxUnavailable } = updateBounds(facts);
  const pods = byNode(facts.pods);
  const wanted = nodes.filter((node) => placeOn(set, node).shouldRun);
  const places = [...new Set([...wanted.map(nameOf), ...pods.keys()])].map((name) => {
    const alive = (pods.get(name) ?? []).filter(({ metadata }) => !metadata.deletionTimestamp);
    const updated = alive.filter((pod) => isUpdated(set, pod, hash));
    const old = alive.filter((pod) => !updated.includes(pod));
    const shouldRun = wanted.some((node) => nameOf(node) === name);
    return {
      name,
      updated: updated[0],
      old: old[0],
      isClear: updated.length < 2 && old.length < 2,
      shouldRun,
    };
  });
  const serves = (pod: Pod | undefined) => pod !== undefined && isAvailable(facts, pod);
  if (maxSurge === 0) {
    const onlyOld = places.filter(({ updated, old, isClear }) => isClear && old && !updated);
    const broken = onlyOld.filter(({ old }) => !serves(old));
    const isDown = ({ updated, old, isClear }: (typeof places)[number]) =>
      !isClear || Boolean(updated) === Boolean(old) || (updated !== undefined && !serves(updated));
    const room = maxUnavailable - broken.length - places.filter(isDown).length;
    const next = onlyOld.filter((place) => !broken.includes(place)).slice(0, Math.max(0, room));
    return { remove: [...broken, ...next].map(({ old }) => old!), ended: [], add: [] };
  }
  const clear = places.filter(({ isClear }) => isClear);
  const surging = clear.filter(({ updated, old }) => updated && old && !serves(updated));
  const done = clear.filter(({ updated, old }) => updated && old && serves(updated));
  const onlyOld = clear.filter(({ updated, old }) => old && !updated);
  const serving = clear.filter(({ updated, old }) => serves(old ?? updated)).length;
  const leaving = onlyOld.filter(({ shouldRun }) => !shouldRun);
  const spare = Math.max(0, serving - wanted.length);
  const removable = [
    ...leaving.filter(({ old }) => !serves(old)),
    ...leaving.filter(({ old }) => serves(old)).slice(0, spare),
  ];
  const staying = onlyOld.filter(({ shouldRun }) => shouldRun);
  const room = Math.max(0, maxSurge - surging.length - (places.length - clear.length));
  const next = staying.filter(({ old }) => serves(old)).slice(0, room);
  const broken = staying.filter(({ old }) => !serves(old));
  return {
    remove: [...done, ...removable].map(({ old }) => old!),
    ended: [],
    add: [...broken, ...next].map(({ name }) => name),
  };
}

/** The status that follows from nodes and pods (upstream: updateDaemonSetStatus). */
export function daemonStatus(facts: DaemonFacts, collisionCount: number): DaemonSetStatus {
  const { set, nodes, hash } = facts;
  const pods = byNode(facts.pods);
  const wanted = nodes.filter((node) => placeOn(set, node).shouldRun);
  const scheduled = wanted.flatMap((node) => pods.get(nameOf(node))?.slice(0, 1) ?? []);
  const available = scheduled.filter((pod) => isAvailable(facts, pod)).length;
  const optional = {
    updatedNumberScheduled: scheduled.filter((pod) => isUpdated(set, pod, hash)).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
  };
  const { conditions } = set.status ?? {};
  return {
    currentNumberScheduled: scheduled.length,
    numberMisscheduled: nodes.filter((node) => !wanted.includes(node) && pods.has(nameOf(node))).length,
    desiredNumberScheduled: wanted.length,
    numberReady: scheduled.filter(isPodReady).length,
    observedGeneration: set.metadata.generation ?? 0,
    ...Object.fromEntries(Object.entries(optional).filter(([, count]) => count !== 0)),
    ...(collisionCount > 0 ? { collisionCount } : {}),
    ...(conditions ? { conditions } : {}),
  };
}
