import { isDeepStrictEqual } from 'node:util';
import type { Node, Pod } from '@wherry/kubeapi/objects';
import { isFinished } from '@wherry/podrules';
import type { Change } from '../machinery/controller-definition.ts';
import type { ClusterState } from './cluster/cluster-state.ts';
import { type PodInfo, podInfo } from './cluster/pod-info.ts';
import type { ClusterChange } from './filters/filter-plugin.ts';
import { defaultProfiles, type Profiles, schedulerOf } from './profiles/profile.ts';
import type { SchedulingQueue } from './scheduling-queue.ts';

/** Whether a pod is that of one of the profiles to find a node for. */
export function waitsForNode({ spec, metadata, status }: Pod, profiles: Profiles): boolean {
  if (spec?.nodeName || metadata.deletionTimestamp || isFinished({ status })) return false;
  const profile = profiles.get(schedulerOf({ spec }));
  return profile !== undefined && !(profile.heedsGates && (spec?.schedulingGates ?? []).length > 0);
}

/** Keeps the state of the cluster, and who waits, as the watches tell; answers what a change may be good for. */
export class ClusterWatch {
  readonly #cluster: ClusterState;
  readonly #queue: SchedulingQueue;
  readonly #profiles: Profiles;
  /** Pods that have their node by a decision which the watch has not shown yet. */
  readonly #assumed = new Set<string>();

  constructor(cluster: ClusterState, queue: SchedulingQueue, profiles = defaultProfiles) {
    this.#profiles = profiles;
    this.#cluster = cluster;
    this.#queue = queue;
  }

  /** How many pods have their node by such a decision. */
  get assumedCount(): number {
    return this.#assumed.size;
  }

  /** Counts a pod against the node that it is being bound to. */
  assume(info: PodInfo, nodeName: string): void {
    this.#queue.remove(info.uid);
    this.#cluster.place(info, nodeName);
    this.#assumed.add(info.uid);
  }

  /** Takes back an assumption that did not come true, unless the watch has shown otherwise; then others may have the room. */
  giveUp({ uid }: PodInfo): ClusterChange | undefined {
    if (!this.#assumed.delete(uid)) return undefined;
    this.#cluster.displace(uid);
    return 'pod-gone';
  }

  podChanged(pod: Pod, change: Change): ClusterChange | undefined {
    const { uid = '' } = pod.metadata;
    const nodeName = pod.spec?.nodeName;
    const isGone = change === 'deleted' || isFinished(pod);
    if (nodeName && !isGone) return this.#placed(pod, nodeName);
    if (isGone) return this.#gone(uid);
    if (this.#assumed.has(uid)) return undefined;
    if (waitsForNode(pod, this.#profiles)) return this.#waits(pod);
    this.#forget(uid);
    return undefined;
  }

  nodeChanged(node: Node, change: Change, previous?: Node): ClusterChange | undefined {
    if (change === 'deleted') {
      this.#cluster.removeNode(node.metadata.name ?? '');
      return 'node';
    }
    this.#cluster.setNode(node);
    return previous && isDeepStrictEqual(essence(node), essence(previous)) ? undefined : 'node';
  }

  #placed(pod: Pod, nodeName: string): ClusterChange | undefined {
    const info = podInfo(pod);
    const { uid, shape, requests } = info;
    const wasPlaced = this.#cluster.placed(uid);
    this.#assumed.delete(uid);
    this.#queue.remove(uid);
    this.#cluster.place(info, nodeName);
    if (!wasPlaced) return 'pod-placed';
    const isSame = wasPlaced.shape.key === shape.key && isDeepStrictEqual(wasPlaced.requests, requests);
    return isSame ? undefined : 'pod-changed';
  }

  #gone(uid: string): ClusterChange {
    this.#assumed.delete(uid);
    this.#cluster.displace(uid);
    this.#forget(uid);
    return 'pod-gone';
  }

  #forget(uid: string): void {
    this.#queue.remove(uid);
    this.#cluster.forgetNomination(uid);
  }

  #waits(pod: Pod): ClusterChange | undefined {
    const info = podInfo(pod);
    const known = this.#queue.get(info.uid);
    const before = known?.pod.status?.nominatedNodeName;
    const now = pod.status?.nominatedNodeName;
    // What no status has told of is a promise of this process, whose write the watch has yet to show.
    const nominee = now || (before ? undefined : this.#cluster.nominatedNode(info.uid));
    if (nominee) this.#cluster.nominate(info, nominee);
    else this.#cluster.forgetNomination(info.uid);
    if (known && isDeepStrictEqual(question(known.pod), question(pod))) this.#queue.renew(info);
    else this.#queue.add(info);
    return before && before !== now ? 'pod-gone' : undefined;
  }
}

/** What the answer to a waiting pod depends on. */
function question({ metadata, spec, status }: Pod): unknown {
  return [metadata.labels, spec, status?.resourceClaimStatuses];
}

/** What makes a difference to pods: not what a node tells every few seconds. */
function essence({ metadata, spec, status }: Node): unknown {
  const conditions = (status?.conditions ?? []).map(({ type, status: state }) => [type, state]);
  return [metadata.labels, spec, status?.allocatable, status?.declaredFeatures, conditions];
}
