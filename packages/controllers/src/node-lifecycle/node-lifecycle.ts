import { kinds } from '@wherry/client';
import {
  hasReason,
  type Lease,
  type Node,
  type NodeCondition,
  type Pod,
  type PodCondition,
  type Taint,
  timeFromMs,
} from '@wherry/kubeapi/objects';
import { isFinished, nodeCondition, shortageKeys, taintKeys, tolerates } from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';

const managedKeys: string[] = Object.values(taintKeys);

/** The taints that follow from a node's conditions and its `unschedulable` field. */
export function taintsFor(node: Node): Taint[] {
  const taints: Taint[] = [];
  const both = (key: string) => taints.push({ key, effect: 'NoSchedule' }, { key, effect: 'NoExecute' });
  const ready = nodeCondition(node, 'Ready')?.status;
  if (ready === 'Unknown') both(taintKeys.unreachable);
  else if (ready !== 'True') both(taintKeys.notReady);
  for (const key of shortageKeys(node)) taints.push({ key, effect: 'NoSchedule' });
  return taints;
}

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

const watches = {
  nodes: { type: kinds.nodes },
  pods: { type: kinds.pods },
  leases: { type: kinds.leases, namespace: 'kube-node-lease' },
};

/**
 * Marks silent nodes Unknown, writes the taints that follow from node conditions, and deletes pods from nodes whose
 * NoExecute taints they do not tolerate (any longer). Silence is measured on this process's monotonic clock from the
 * last change it saw, so that clocks that differ or jump harm nothing, and begins anew when the API server was not
 * heard: nodes that could not speak were not silent.
 */
export const nodeLifecycle = defineController({
  name: 'node-lifecycle-controller',
  watches,
  writes: ['nodes', 'nodes/status', 'pods', 'pods/status', 'events'],
  periodMs: limits.nodeMonitorPeriodMs,
  build: (context) => new NodeLifecycle(context),
});

/** What is remembered of a node that is there. */
interface NodeMemory {
  /** What the node said of itself last, and when that was seen. */
  stamp: string;
  heardMs: number;
  /** When each NoExecute taint was first seen, by key. */
  taintedSinceMs: Map<string, number>;
}

/** One look at all nodes for each turn. */
export class NodeLifecycle implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #recorder: EventRecorder;
  readonly #memories = new Map<string, NodeMemory>();

  constructor(context: ControllerContext<typeof watches>) {
    this.#context = context;
    const { client, clock, logger } = context.cluster;
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'taint-eviction-controller' });
    const failed = () => this.#hearAnew();
    context.informers.nodes.on({ failed });
    context.informers.leases.on({ failed });
  }

  /** Nodes of which something is remembered. */
  get remembered(): number {
    return this.#memories.size;
  }

  async reconcile(): Promise<void> {
    const { nodes, leases } = this.#context.informers;
    // A lease that has not been listed yet is no sign of silence.
    if (!leases.hasSynced || !nodes.hasSynced) return;
    for (const name of this.#memories.keys()) if (!nodes.objects.has(name)) this.#memories.delete(name);
    for (const node of nodes.objects.values()) {
      const memory = this.#memoryOf(node);
      if (await this.#isSilent(node, memory)) await this.#markUnknown(node);
      else await this.#writeTaints(node);
      await this.#evict(node, memory);
    }
  }

  #hearAnew(): void {
    const nowMs = this.#context.cluster.clock.monotonicMs();
    for (const memory of this.#memories.values()) memory.heardMs = nowMs;
  }

  #memoryOf(node: Node): NodeMemory {
    const name = node.metadata?.name ?? '';
    const known = this.#memories.get(name);
    if (known) return known;
    const heardMs = this.#context.cluster.clock.monotonicMs();
    const memory = { stamp: '', heardMs, taintedSinceMs: new Map<string, number>() };
    this.#memories.set(name, memory);
    return memory;
  }

  async #isSilent(node: Node, memory: NodeMemory): Promise<boolean> {
    const lease = this.#context.informers.leases.objects.get(`kube-node-lease/${node.metadata?.name}`);
    if (this.#hasSpoken(node, lease, memory)) return false;
    const silentMs = this.#context.cluster.clock.monotonicMs() - memory.heardMs;
    const isKnown = nodeCondition(node, 'Ready')?.status === 'Unknown';
    if (silentMs <= limits.nodeMonitorGraceMs || isKnown) return false;
    // The watch may be behind: what the server has now decides.
    return !this.#hasSpoken(node, await this.#askForLease(node), memory);
  }

  #hasSpoken(node: Node, lease: Lease | undefined, memory: NodeMemory): boolean {
    const ready = nodeCondition(node, 'Ready');
    const stamp = `${lease?.spec?.renewTime} ${ready?.status === 'Unknown' ? '' : ready?.lastHeartbeatTime}`;
    if (memory.stamp === stamp) return false;
    memory.stamp = stamp;
    memory.heardMs = this.#context.cluster.clock.monotonicMs();
    return true;
  }

  async #askForLease({ metadata }: Node): Promise<Lease | undefined> {
    const { type, namespace } = watches.leases;
    try {
      return await this.#context.cluster.client.resource(type).get({ name: metadata?.name ?? '', namespace });
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
      return undefined;
    }
  }

  async #markUnknown(node: Node): Promise<void> {
    const now = timeFromMs(this.#context.cluster.clock.nowMs());
    const conditions = (node.status?.conditions ?? [{ type: 'Ready', status: 'Unknown' }]).map(
      (condition): NodeCondition => ({
        ...condition,
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
        lastTransitionTime: now,
      }),
    );
    await this.#patch(node, { status: { conditions } }, 'status');
  }

  async #writeTaints(node: Node): Promise<void> {
    const current = node.spec?.taints ?? [];
    const wanted = taintsFor(node);
    const same = (a: Taint) => (b: Taint) => a.key === b.key && a.effect === b.effect;
    const kept = current.filter((taint) => !managedKeys.includes(taint.key) || wanted.some(same(taint)));
    const missing = wanted.filter((taint) => !current.some(same(taint)));
    if (kept.length === current.length && missing.length === 0) return;
    const timeAdded = timeFromMs(this.#context.cluster.clock.nowMs());
    const added = missing.map((taint) => (taint.effect === 'NoExecute' ? { ...taint, timeAdded } : taint));
    const { resourceVersion } = node.metadata ?? {};
    await this.#patch(node, { metadata: { resourceVersion }, spec: { taints: [...kept, ...added] } });
  }

  async #patch(node: Node, patch: unknown, subresource?: 'status'): Promise<void> {
    const { name = '' } = node.metadata ?? {};
    try {
      await this.#context.cluster.client
        .resource(kinds.nodes)
        .patch({ name, type: 'merge', patch, subresource });
    } catch (error) {
      // Changed or gone meanwhile: the next check sees it as it then is.
      if (!isLateWrite(error)) throw error;
    }
  }

  async #evict(node: Node, { taintedSinceMs }: NodeMemory): Promise<void> {
    const nodeName = node.metadata?.name ?? '';
    const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
    const nowMs = this.#context.cluster.clock.monotonicMs();
    for (const key of taintedSinceMs.keys())
      if (!taints.some((taint) => taint.key === key)) taintedSinceMs.delete(key);
    for (const { key } of taints) if (!taintedSinceMs.has(key)) taintedSinceMs.set(key, nowMs);
    if (taints.length === 0) return;
    const elapsedSeconds = (nowMs - Math.min(...taintedSinceMs.values())) / 1000;
    for (const pod of this.#context.informers.pods.objects.values()) {
      const isHere = pod.spec?.nodeName === nodeName && !isFinished(pod) && !pod.metadata?.deletionTimestamp;
      if (isHere && toleratedSeconds(pod, taints) <= elapsedSeconds) await this.#delete(pod);
    }
  }

  async #delete(pod: Pod): Promise<void> {
    const { name = '', namespace, uid = '' } = pod.metadata ?? {};
    this.#context.cluster.logger.info('deleting a pod from a tainted node', {
      pod: name,
      namespace,
      node: pod.spec?.nodeName,
    });
    const condition: PodCondition = {
      ...{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' },
      message: 'Taint manager: deleting due to NoExecute taint',
      lastTransitionTime: timeFromMs(this.#context.cluster.clock.nowMs()),
    };
    const patch = { metadata: { uid }, status: { conditions: [condition] } };
    const pods = this.#context.cluster.client.resource(kinds.pods);
    const message = `Marking for deletion Pod ${namespace}/${name}`;
    this.#recorder.record(pod, { type: 'Normal', reason: 'TaintManagerEviction', message });
    try {
      await pods.patch({ name, namespace, subresource: 'status', type: 'strategic', patch });
      await pods.delete({ name, namespace }, { preconditions: { uid } });
    } catch (error) {
      if (!isLateWrite(error)) throw error;
    }
  }
}
