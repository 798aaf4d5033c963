import { kinds } from '@wherry/client';
import { hasReason, type Node, type NodeCondition, type Pod, type Taint, timeFromMs } from '@wherry/kubeapi';
import { isFinished, nodeCondition, shortageKeys, taintKeys, tolerates } from '@wherry/podrules';
import { type Controller, type ControllerContext, every } from './controller.ts';
import { limits } from './limits.ts';

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

interface Heartbeat {
  stamp: string;
  seenMs: number;
}

/**
 * Marks silent nodes Unknown, writes the taints that follow from node conditions, and deletes pods from nodes whose
 * NoExecute taints they do not tolerate (any longer). Silence is measured on this process's monotonic clock from the
 * last change it saw, so that clocks that differ or jump harm nothing.
 */
export class NodeLifecycle implements Controller {
  readonly #context: ControllerContext;
  readonly #heartbeats = new Map<string, Heartbeat>();
  /** When each NoExecute taint was first seen, by node and key. */
  readonly #taintedSinceMs = new Map<string, number>();
  readonly #loop: Controller;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#loop = every(context, limits.nodeMonitorPeriodMs, () => this.#check());
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  async #check(): Promise<void> {
    // A lease that has not been listed yet is no sign of silence.
    if (!this.#context.informers.nodeLeases.hasSynced) return;
    for (const node of this.#context.informers.nodes.objects.values()) {
      if (this.#isSilent(node)) await this.#markUnknown(node);
      else await this.#writeTaints(node);
      await this.#evict(node);
    }
  }

  #isSilent(node: Node): boolean {
    const name = node.metadata?.name ?? '';
    const ready = nodeCondition(node, 'Ready');
    const lease = this.#context.informers.nodeLeases.objects.get(`kube-node-lease/${name}`);
    const stamp = `${lease?.spec?.renewTime} ${ready?.status === 'Unknown' ? '' : ready?.lastHeartbeatTime}`;
    const nowMs = this.#context.clock.monotonicMs();
    const known = this.#heartbeats.get(name);
    if (known?.stamp !== stamp) {
      this.#heartbeats.set(name, { stamp, seenMs: nowMs });
      return false;
    }
    return nowMs - known.seenMs > limits.nodeMonitorGraceMs && ready?.status !== 'Unknown';
  }

  async #markUnknown(node: Node): Promise<void> {
    const now = timeFromMs(this.#context.clock.nowMs());
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
    const timeAdded = timeFromMs(this.#context.clock.nowMs());
    const added = missing.map((taint) => (taint.effect === 'NoExecute' ? { ...taint, timeAdded } : taint));
    const { resourceVersion } = node.metadata ?? {};
    await this.#patch(node, { metadata: { resourceVersion }, spec: { taints: [...kept, ...added] } });
  }

  async #patch(node: Node, patch: unknown, subresource?: 'status'): Promise<void> {
    const { name = '' } = node.metadata ?? {};
    try {
      await this.#context.client.resource(kinds.nodes).patch({ name, type: 'merge', patch, subresource });
    } catch (error) {
      // Changed or gone meanwhile: the next check sees it as it then is.
      if (!hasReason(error, 'Conflict') && !hasReason(error, 'NotFound')) throw error;
    }
  }

  async #evict(node: Node): Promise<void> {
    const nodeName = node.metadata?.name ?? '';
    const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
    const nowMs = this.#context.clock.monotonicMs();
    for (const key of this.#taintedSinceMs.keys()) {
      const isGone =
        key.startsWith(`${nodeName} `) && !taints.some((taint) => key === `${nodeName} ${taint.key}`);
      if (isGone) this.#taintedSinceMs.delete(key);
    }
    for (const { key } of taints) {
      const id = `${nodeName} ${key}`;
      if (!this.#taintedSinceMs.has(id)) this.#taintedSinceMs.set(id, nowMs);
    }
    if (taints.length === 0) return;
    const sinceMs = Math.min(
      ...taints.map(({ key }) => this.#taintedSinceMs.get(`${nodeName} ${key}`) ?? nowMs),
    );
    const elapsedSeconds = (nowMs - sinceMs) / 1000;
    for (const pod of this.#context.informers.pods.objects.values()) {
      const isHere = pod.spec?.nodeName === nodeName && !isFinished(pod) && !pod.metadata?.deletionTimestamp;
      if (isHere && toleratedSeconds(pod, taints) <= elapsedSeconds) await this.#delete(pod);
    }
  }

  async #delete(pod: Pod): Promise<void> {
    const { name = '', namespace, uid = '' } = pod.metadata ?? {};
    this.#context.logger.info('deleting a pod from a tainted node', {
      pod: name,
      namespace,
      node: pod.spec?.nodeName,
    });
    try {
      await this.#context.client.resource(kinds.pods).delete({ name, namespace }, { preconditions: { uid } });
    } catch (error) {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
    }
  }
}
