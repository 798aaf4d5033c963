import { keyOf } from '@wherry/client';
import type { Node, Pod, Taint } from '@wherry/kubeapi/objects';
import { isFinished, tolerates } from '@wherry/podrules';
import type { ClusterView } from '../machinery/cluster-view.ts';
import { disruptPod } from '../machinery/disrupt-pod.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';

/**
 * How long a pod may stay on a node with these NoExecute taints: 0 at once, Infinity for ever, else the shortest
 * toleration in seconds.
 */
export function toleratedSeconds(pod: Pod, taints: Taint[]): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const matching = (pod.spec?.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
    if (matching.length === 0) return 0;
    for (const { tolerationSeconds } of matching) {
      if (tolerationSeconds !== undefined) shortest = Math.min(shortest, Math.max(0, tolerationSeconds));
    }
  }
  return shortest;
}

/** Deletes pods from nodes whose NoExecute taints they do not tolerate (any longer). */
export class TaintEviction {
  readonly #cluster: ClusterView;
  readonly #recorder: EventRecorder;
  readonly #pods: InformerHandle<Pod>;
  /** Since when each pod has been seen to bear its node's taints for a time only: by node, then by uid. */
  readonly #bearsSinceMs = new Map<string, ReadonlyMap<string, number>>();

  constructor(cluster: ClusterView, pods: InformerHandle<Pod>) {
    const { client, clock, logger } = cluster;
    this.#cluster = cluster;
    this.#pods = pods;
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'taint-eviction-controller' });
  }

  forgetAllBut(nodes: ReadonlyMap<string, Node>): void {
    for (const name of this.#bearsSinceMs.keys()) if (!nodes.has(name)) this.#bearsSinceMs.delete(name);
  }

  /** A pod's time begins when a taint is there that it bears for a time only, however old other taints are. */
  async evict(node: Node): Promise<void> {
    const nodeName = node.metadata?.name ?? '';
    const known = this.#bearsSinceMs.get(nodeName);
    this.#bearsSinceMs.delete(nodeName);
    const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
    if (taints.length === 0 && !known) return;
    const nowMs = this.#cluster.clock.monotonicMs();
    const bearing = new Map<string, number>();
    if (taints.length > 0) this.#bearsSinceMs.set(nodeName, bearing);
    for (const pod of this.#pods.objects.values()) {
      const isHere = pod.spec?.nodeName === nodeName && !isFinished(pod) && !pod.metadata?.deletionTimestamp;
      const seconds = isHere ? toleratedSeconds(pod, taints) : Number.POSITIVE_INFINITY;
      const { uid = '' } = pod.metadata;
      if (seconds === Number.POSITIVE_INFINITY) {
        if (isHere && known?.has(uid)) this.#tell(pod, 'Cancelling deletion of');
        continue;
      }
      const sinceMs = known?.get(uid) ?? nowMs;
      bearing.set(uid, sinceMs);
      if (seconds * 1000 <= nowMs - sinceMs) await this.#delete(pod);
    }
  }

  #tell(pod: Pod, what: string): void {
    const message = `${what} Pod ${keyOf(pod)}`;
    this.#recorder.record(pod, { type: 'Normal', reason: 'TaintManagerEviction', message });
  }

  async #delete(pod: Pod): Promise<void> {
    const { name = '', namespace } = pod.metadata;
    this.#cluster.logger.info('deleting a pod from a tainted node', {
      pod: name,
      namespace,
      node: pod.spec?.nodeName,
    });
    this.#tell(pod, 'Marking for deletion');
    try {
      await disruptPod(this.#cluster, pod, {
        reason: 'DeletionByTaintManager',
        message: 'Taint manager: deleting due to NoExecute taint',
      });
    } catch (error) {
      // One that can't go keeps no other on the node.
      if (!isLateWrite(error))
        this.#cluster.logger.warn('a pod could not be deleted', { pod: keyOf(pod), error });
    }
  }
}
