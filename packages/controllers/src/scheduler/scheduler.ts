import { keyOf, kinds } from '@wherry/client';
import { type Backoff, backoff } from '@wherry/clock';
import { type Binding, type PersistentVolumeClaim, type Pod, timeFromMs } from '@wherry/kubeapi/objects';
import { isFinished, type NodeInfo, podClaims } from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { Change, ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';
import { PodStorage } from './pod-storage.ts';
import { type Decision, selectNode } from './select-node.ts';
import { prepareStorage } from './storage-writes.ts';

const schedulerName = 'default-scheduler';

function waitsForNode(pod: Pod): boolean {
  const { spec, metadata } = pod;
  const isOurs = (spec?.schedulerName ?? schedulerName) === schedulerName;
  return (
    isOurs &&
    !spec?.nodeName &&
    !metadata?.deletionTimestamp &&
    !isFinished(pod) &&
    !spec?.schedulingGates?.length
  );
}

const watches = {
  pods: { type: kinds.pods },
  nodes: { type: kinds.nodes },
  claims: { type: kinds.persistentVolumeClaims },
  volumes: { type: kinds.persistentVolumes },
  classes: { type: kinds.storageClasses },
};

/**
 * Binds each waiting pod to a node, as kube-scheduler does with its default profile (see `misfits` for what is not). Keys
 * are those of pods.
 */
export const scheduler = defineController({
  name: 'kube-scheduler',
  watches,
  writes: ['pods/binding', 'pods/status', 'persistentvolumes', 'persistentvolumeclaims', 'events'],
  concurrency: limits.bindConcurrency,
  build: (context) => new Scheduler(context),
});

class Scheduler implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #recorder: EventRecorder;
  /** Decisions that the watch has not shown yet, by pod uid. */
  readonly #assumed = new Map<string, { pod: Pod; nodeName: string }>();
  readonly #unschedulable = new Map<string, Backoff>();
  readonly keysOf = {
    pods: (pod: Pod, change: Change) => (change === 'deleted' ? this.#podGone(pod) : this.#podSeen(pod)),
    nodes: () => this.#unschedulable.keys(),
    claims: (claim: PersistentVolumeClaim) => this.#podsOf(claim),
    volumes: () => this.#unschedulable.keys(),
    classes: () => this.#unschedulable.keys(),
  };

  constructor(context: ControllerContext<typeof watches>) {
    this.#context = context;
    const { client, clock, logger } = context.cluster;
    this.#recorder = new EventRecorder({ client, clock, logger, component: schedulerName });
  }

  #podSeen(pod: Pod): Iterable<string> {
    const key = keyOf(pod);
    if (!pod.spec?.nodeName) return waitsForNode(pod) && !this.#unschedulable.has(key) ? [key] : [];
    this.#assumed.delete(pod.metadata?.uid ?? '');
    this.#unschedulable.delete(key);
    return isFinished(pod) ? this.#unschedulable.keys() : [];
  }

  #podGone(pod: Pod): Iterable<string> {
    this.#assumed.delete(pod.metadata?.uid ?? '');
    this.#unschedulable.delete(keyOf(pod));
    return this.#unschedulable.keys();
  }

  *#podsOf({ metadata }: PersistentVolumeClaim): Iterable<string> {
    for (const pod of this.#context.informers.pods.objects.values()) {
      if (pod.metadata.namespace !== metadata.namespace || !waitsForNode(pod)) continue;
      if (podClaims(pod).some(({ claimName }) => claimName === metadata.name)) yield keyOf(pod);
    }
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { pods, nodes, claims, volumes, classes } = this.#context.informers;
    const pod = pods.objects.get(key);
    const uid = pod?.metadata?.uid ?? '';
    if (!pod || !waitsForNode(pod) || this.#assumed.has(uid)) return;
    const view = { claims: claims.objects, volumes: volumes.objects, classes: classes.objects };
    const storage = new PodStorage(pod, view);
    const decision = this.#decide(pod, storage);
    if ('message' in decision) return this.#postpone(key, pod, decision.message, signal);
    const node = nodes.objects.get(decision.nodeName);
    if (node && !storage.isBound) {
      await prepareStorage(this.#context.cluster.client, { node, plan: storage.planFor(node), signal });
      // The claims tell when they are bound.
      return this.#context.queue.addAfter(key, limits.storageRecheckMs);
    }
    this.#assumed.set(uid, { pod, nodeName: decision.nodeName });
    try {
      await this.#bind(pod, decision.nodeName, signal);
    } catch (error) {
      this.#assumed.delete(uid);
      // Gone or bound by someone else in the meantime: the watch tells.
      if (!isLateWrite(error)) throw error;
    }
  }

  #decide(pod: Pod, storage: PodStorage): Decision {
    const infos = this.#nodeInfos();
    if (storage.message !== undefined && infos.length > 0)
      return { message: `0/${infos.length} nodes are available: ${storage.message}.` };
    const others = infos.flatMap(({ pods }) => pods);
    return selectNode(pod, infos, (info) => storage.misfits(info, others));
  }

  async #bind(pod: Pod, nodeName: string, signal: AbortSignal): Promise<void> {
    const { name = '', namespace = '', uid } = pod.metadata ?? {};
    const binding: Binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
    };
    await this.#context.cluster.client
      .resource(kinds.pods)
      .create(binding, { name, namespace, subresource: 'binding', signal });
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    this.#recorder.record(pod, { type: 'Normal', reason: 'Scheduled', message });
  }

  async #postpone(key: string, pod: Pod, message: string, signal: AbortSignal): Promise<void> {
    let retry = this.#unschedulable.get(key);
    if (!retry) {
      retry = backoff(limits.unschedulableRetryMs);
      this.#unschedulable.set(key, retry);
    }
    this.#context.queue.addAfter(key, retry.nextDelayMs());
    const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (known?.status === 'False' && known.message === message) return;
    this.#recorder.record(pod, { type: 'Warning', reason: 'FailedScheduling', message });
    const { name = '', namespace } = pod.metadata ?? {};
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastProbeTime: null,
      lastTransitionTime: timeFromMs(this.#context.cluster.clock.nowMs()),
    };
    await this.#context.cluster.client.resource(kinds.pods).patch({
      name,
      namespace,
      subresource: 'status',
      type: 'strategic',
      patch: { status: { conditions: [condition] } },
      signal,
    });
  }

  #nodeInfos(): NodeInfo[] {
    const { nodes, pods } = this.#context.informers;
    const infos = new Map<string, NodeInfo>();
    for (const node of nodes.objects.values()) infos.set(node.metadata?.name ?? '', { node, pods: [] });
    for (const pod of pods.objects.values()) {
      if (pod.spec?.nodeName && !isFinished(pod)) infos.get(pod.spec.nodeName)?.pods.push(pod);
    }
    for (const { pod, nodeName } of this.#assumed.values()) infos.get(nodeName)?.pods.push(pod);
    return [...infos.values()];
  }
}
