import { kinds } from '@wherry/client';
import { hasReason, type Lease, type Node, timeFromMs } from '@wherry/kubeapi/objects';
import { nodeCondition } from '@wherry/podrules';
import type { ZoneCount } from '../figures/node-figures.ts';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';
import { someAtOnce } from '../machinery/some-at-once.ts';
import { labelsToMend } from './node-labels.ts';
import { changedTaints, evictingTaints, evicts, keepingTaints } from './node-taints.ts';
import { TaintEviction } from './taint-eviction.ts';
import { unknownConditions } from './unknown-conditions.ts';
import { UnreadyPods } from './unready-pods.ts';
import { type ReadyStatus, ZoneEvictions, zoneOf } from './zone-evictions.ts';

/** Nodes with it do not count where it is asked how many of a zone are there (upstream: labelNodeDisruptionExclusion). */
const exclusionLabel = 'node.kubernetes.io/exclude-disruption';
/** The key of the next node that is to be given up: no node has a space in its name. */
const evictionKey = 'next eviction';

const watches = {
  nodes: { type: kinds.nodes },
  pods: { type: kinds.pods },
  leases: { type: kinds.leases, namespace: 'kube-node-lease' },
};

/**
 * Marks silent nodes Unknown and their pods not ready, writes the taints that follow from node conditions and the older of two labels, those of NoExecute one node of a
 * zone after the other, and deletes pods from nodes whose NoExecute taints they do not tolerate (any longer). Silence is measured on this process's monotonic clock from the
 * last change it saw, so that clocks that differ or jump harm nothing, and begins anew when the API server was not
 * heard: nodes that could not speak were not silent.
 */
export const nodeLifecycle = defineController({
  name: 'node-lifecycle-controller',
  account: 'node-controller',
  watches,
  writes: ['nodes', 'nodes/status', 'pods', 'pods/status', 'events'],
  // One key at a time: all look at the same memories.
  concurrency: 1,
  periodMs: ({ nodeMonitorTimes }) => nodeMonitorTimes.periodMs,
  build: (context) => new NodeLifecycle(context),
});

/** What is remembered of a node that is there. */
interface NodeMemory {
  /** What the node said of itself last, and when that was seen. */
  stamp: string;
  heardMs: number;
  uid: string;
  /** What was found of it last, be it told or concluded. */
  status: ReadyStatus;
}

/** The key '' is one look at all nodes, that of a node what follows from what it says. */
export class NodeLifecycle implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #eviction: TaintEviction;
  readonly #unready: UnreadyPods;
  readonly #zones: ZoneEvictions;
  readonly #recorder: EventRecorder;
  readonly #memories = new Map<string, NodeMemory>();
  readonly keysOf: Reconciler<typeof watches>['keysOf'] = {
    nodes: (node, change, previous) =>
      change === 'deleted' || (previous && said(node) === said(previous)) ? [] : [node.metadata?.name ?? ''],
  };

  constructor(context: ControllerContext<typeof watches>) {
    const { client, clock, logger, nodeEvictionRates } = context.cluster;
    this.#context = context;
    this.#eviction = new TaintEviction(context.cluster, context.informers.pods);
    this.#unready = new UnreadyPods(context.cluster, context.informers.pods);
    this.#zones = new ZoneEvictions(clock, nodeEvictionRates);
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'node-controller' });
    const failed = () => this.#hearAnew();
    context.informers.nodes.on({ failed });
    context.informers.leases.on({ failed });
  }

  /** Nodes of which something is remembered. */
  get remembered(): number {
    return this.#memories.size;
  }

  async reconcile(key: string): Promise<void> {
    const { nodes } = this.#context.informers;
    if (key === '') return this.#timed(() => this.#lookAtAll([...nodes.objects.values()]));
    if (key === evictionKey) return this.#giveUpNext();
    const node = nodes.objects.get(key);
    if (node) await this.#follow(node);
  }

  async #timed(look: () => Promise<void>): Promise<void> {
    const { clock, figures } = this.#context.cluster;
    const startedMs = clock.monotonicMs();
    await look();
    figures?.manager?.nodes.lookedAtAll(clock.monotonicMs() - startedMs);
  }

  async #lookAtAll(nodes: readonly Node[]): Promise<void> {
    this.#forgetGone();
    const seen = new Set<Node>();
    await this.#attemptAll(nodes, async (node) => {
      const startedMs = this.#context.cluster.clock.monotonicMs();
      await this.#examine(node);
      this.#lookedAt(startedMs);
      seen.add(node);
    });
    const found = new Map<string, ReadyStatus[]>();
    for (const node of nodes) {
      if (!seen.has(node) || node.metadata?.labels?.[exclusionLabel] !== undefined) continue;
      const { status } = this.#memoryOf(node);
      const zone = found.get(zoneOf(node)) ?? [];
      found.set(zoneOf(node), zone);
      zone.push(status);
    }
    this.#context.cluster.figures?.manager?.nodes.found(zoneCounts(found));
    const turn = this.#zones.judge(found);
    const { logger } = this.#context.cluster;
    if (turn === 'halted') logger.warn('no node is ready: no more pods are evicted for that');
    // Nodes that could not speak were not silent.
    if (turn === 'resumed') this.#hearAnew();
    await this.#attemptAll(nodes, (node) => this.#conclude(node));
    this.#planEviction();
  }

  #attemptAll(nodes: readonly Node[], work: (node: Node) => Promise<void>): Promise<void> {
    return someAtOnce(nodes, limits.nodesAtOnce, (node) => this.#attempt(node, () => work(node)));
  }

  #lookedAt(sinceMs: number): void {
    const { clock, figures } = this.#context.cluster;
    figures?.manager?.nodes.lookedAtOne(clock.monotonicMs() - sinceMs);
  }

  /** A failure is logged: the next look tries again, as soon as it would otherwise; no node waits for another one. */
  async #attempt<T>(node: Node, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const { logger } = this.#context.cluster;
      logger.warn('a node could not be looked after', { node: node.metadata?.name, error });
      return undefined;
    }
  }

  /** Takes down how a node is; one that has been silent for too long is marked. */
  async #examine(node: Node): Promise<void> {
    const memory = this.#memoryOf(node);
    const told = nodeCondition(node, 'Ready')?.status;
    memory.status = told;
    if (!(await this.#isSilent(node, memory)) || !(await this.#markUnknown(node))) return;
    memory.status = 'Unknown';
    if (told === 'True')
      this.#tell(node.metadata?.name ?? '', memory.uid, 'NodeNotReady', 'status is now: NodeNotReady');
  }

  async #conclude(node: Node): Promise<void> {
    const { name = '' } = node.metadata ?? {};
    if (this.#isBack(node)) return;
    const status = this.#memories.get(name)?.status;
    const isBad = status === 'False' || status === 'Unknown';
    if (isBad && !this.#zones.isHalted && !(node.spec?.taints ?? []).some(evicts)) this.#zones.add(node);
    if (status === 'Unknown') await this.#unready.mark(name, () => this.#isBack(node));
    await this.#follow(node);
  }

  /** Whether a node has spoken since it was looked at; one that looks ready as it did then has not been seen marked yet. */
  #isBack(node: Node): boolean {
    const now = this.#context.informers.nodes.objects.get(node.metadata?.name ?? '');
    return now !== undefined && now !== node && nodeCondition(now, 'Ready')?.status === 'True';
  }

  /** What follows from what a node says. */
  async #follow(node: Node): Promise<void> {
    if (nodeCondition(node, 'Ready')?.status === 'True') this.#cheer(node);
    await this.#writeTaints(node, false);
    const labels = labelsToMend(node);
    if (labels) await this.#patch(node, { metadata: { labels } });
    const { taints = [] } = node.spec ?? {};
    const isSpared = this.#zones.isHalted && taints.some(evicts);
    const spec = { ...node.spec, taints: taints.filter((taint) => !evicts(taint)) };
    await this.#eviction.evict(isSpared ? { ...node, spec } : node);
  }

  /** One that was marked a moment ago may look ready still. */
  #cheer({ metadata }: Node): void {
    const { name = '' } = metadata ?? {};
    if (this.#memories.get(name)?.status === 'True') this.#zones.remove(name);
  }

  #planEviction(): void {
    const waitMs = this.#zones.waitMs();
    if (Number.isFinite(waitMs)) this.#context.queue.addAfter(evictionKey, Math.ceil(waitMs));
  }

  async #giveUpNext(): Promise<void> {
    for (const name of this.#zones.due()) {
      const node = this.#context.informers.nodes.objects.get(name);
      if (!node || this.#memories.get(name)?.status === 'True') this.#zones.remove(name);
      else if (await this.#attempt(node, () => this.#giveUp(node))) this.#gaveUp(name, node);
      else this.#zones.postpone(node);
    }
    const waitMs = this.#zones.waitMs();
    if (!Number.isFinite(waitMs)) return;
    // Who is due still was not seen as it now is.
    this.#context.queue.addAfter(evictionKey, Math.max(limits.nodeTaintRetryMs, Math.ceil(waitMs)));
  }

  #gaveUp(name: string, node: Node): void {
    this.#zones.done(name);
    this.#context.cluster.figures?.manager?.nodes.gaveUp(zoneLabel(zoneOf(node)));
  }

  /** False while what is known of the node is not what was concluded. */
  async #giveUp(node: Node): Promise<boolean> {
    const status = nodeCondition(node, 'Ready')?.status;
    if (status !== 'False' && status !== 'Unknown') return false;
    return this.#writeTaints(node, true);
  }

  #forgetGone(): void {
    const { objects } = this.#context.informers.nodes;
    for (const [name, { uid }] of this.#memories) {
      if (objects.has(name)) continue;
      this.#tell(name, uid, 'RemovingNode', `event: Removing Node ${name} from Controller`);
      this.#memories.delete(name);
      this.#zones.remove(name);
    }
    this.#eviction.forgetAllBut(objects);
  }

  #tell(name: string, uid: string, reason: string, what: string): void {
    const event = { type: 'Normal', reason, message: `Node ${name} ${what}` } as const;
    this.#recorder.recordAbout({ apiVersion: 'v1', kind: 'Node', name, uid }, event);
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
    const { uid = '' } = node.metadata ?? {};
    const memory = { stamp: '', heardMs, uid, status: undefined };
    this.#memories.set(name, memory);
    this.#tell(name, uid, 'RegisteredNode', `event: Registered Node ${name} in Controller`);
    return memory;
  }

  async #isSilent(node: Node, memory: NodeMemory): Promise<boolean> {
    const lease = this.#context.informers.leases.objects.get(`kube-node-lease/${node.metadata?.name}`);
    if (this.#hasSpoken(node, lease, memory)) return false;
    const silentMs = this.#context.cluster.clock.monotonicMs() - memory.heardMs;
    const told = nodeCondition(node, 'Ready')?.status;
    const { graceMs, startupGraceMs } = this.#context.cluster.nodeMonitorTimes;
    if (silentMs <= (told === undefined ? startupGraceMs : graceMs) || told === 'Unknown') return false;
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

  /** False when the node was another one meanwhile. */
  async #markUnknown(node: Node): Promise<boolean> {
    const now = timeFromMs(this.#context.cluster.clock.nowMs());
    const { resourceVersion } = node.metadata ?? {};
    const status = { conditions: unknownConditions(node, now) };
    return this.#patch(node, { metadata: { resourceVersion }, status }, 'status');
  }

  /** False when the node was another one meanwhile, and has to be looked at as it then is. */
  async #writeTaints(node: Node, isDue: boolean): Promise<boolean> {
    const evicting = this.#zones.isHalted ? [] : evictingTaints(node, isDue);
    const timeAdded = timeFromMs(this.#context.cluster.clock.nowMs());
    const taints = changedTaints(node, [...keepingTaints(node), ...evicting], timeAdded);
    if (!taints) return true;
    const { resourceVersion } = node.metadata ?? {};
    return this.#patch(node, { metadata: { resourceVersion }, spec: { taints } });
  }

  async #patch(node: Node, patch: unknown, subresource?: 'status'): Promise<boolean> {
    const { name = '' } = node.metadata ?? {};
    try {
      await this.#context.cluster.client
        .resource(kinds.nodes)
        .patch({ name, type: 'merge', patch, subresource });
      return true;
    } catch (error) {
      // Changed or gone meanwhile: the next check sees it as it then is.
      if (!isLateWrite(error)) throw error;
      return false;
    }
  }
}

/** As upstream names a zone: nothing where nodes tell of none. */
function zoneLabel(zone: string): string {
  const [region = '', name = ''] = JSON.parse(zone) as string[];
  return region === '' && name === '' ? '' : `${region}:\u0000:${name}`;
}

function zoneCounts(found: ReadonlyMap<string, readonly ReadyStatus[]>): Map<string, ZoneCount> {
  const isBad = (status: ReadyStatus) => status !== 'True';
  return new Map(
    [...found].map(([zone, statuses]) => [
      zoneLabel(zone),
      { size: statuses.length, unhealthy: statuses.filter(isBad).length },
    ]),
  );
}

/** What of a node something follows from. */
function said({ spec, status }: Node): string {
  const conditions = status?.conditions?.map(({ type, status }) => `${type} ${status}`);
  return JSON.stringify([spec?.taints, spec?.unschedulable, conditions]);
}
