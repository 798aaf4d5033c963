import { kinds } from '@wherry/client';
import { hasReason, type Lease, type Node, type Taint, timeFromMs } from '@wherry/kubeapi/objects';
import { nodeCondition, shortageKeys, taintKeys } from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';
import { TaintEviction } from './taint-eviction.ts';
import { unknownConditions } from './unknown-conditions.ts';
import { UnreadyPods } from './unready-pods.ts';

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

const watches = {
  nodes: { type: kinds.nodes },
  pods: { type: kinds.pods },
  leases: { type: kinds.leases, namespace: 'kube-node-lease' },
};

/**
 * Marks silent nodes Unknown and their pods not ready, writes the taints that follow from node conditions, and deletes pods from nodes whose
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
}

/** One look at all nodes for each turn. */
export class NodeLifecycle implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #eviction: TaintEviction;
  readonly #unready: UnreadyPods;
  readonly #memories = new Map<string, NodeMemory>();

  constructor(context: ControllerContext<typeof watches>) {
    this.#context = context;
    this.#eviction = new TaintEviction(context.cluster, context.informers.pods);
    this.#unready = new UnreadyPods(context.cluster, context.informers.pods);
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
    this.#eviction.forgetAllBut(nodes.objects);
    for (const node of nodes.objects.values()) {
      await this.#look(node).catch((error: unknown) => {
        // The next look tries again, as soon as it would otherwise; no node waits for another one.
        const { logger } = this.#context.cluster;
        logger.warn('a node could not be looked after', { node: node.metadata?.name, error });
      });
    }
  }

  async #look(node: Node): Promise<void> {
    const isSilent = await this.#isSilent(node, this.#memoryOf(node));
    if (isSilent) await this.#markUnknown(node);
    else await this.#writeTaints(node);
    if (isSilent || nodeCondition(node, 'Ready')?.status === 'Unknown')
      await this.#unready.mark(node.metadata?.name ?? '');
    await this.#eviction.evict(node);
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
    const memory = { stamp: '', heardMs };
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
    const { resourceVersion } = node.metadata ?? {};
    const status = { conditions: unknownConditions(node, now) };
    await this.#patch(node, { metadata: { resourceVersion }, status }, 'status');
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
}
