import { keyOf, kinds } from '@wherry/client';
import { type Backoff, backoff } from '@wherry/clock';
import { type Binding, hasReason, type Pod, timeFromMs } from '@wherry/kubeapi';
import { isFinished, type NodeInfo } from '@wherry/podrules';
import type { Controller, ControllerContext } from '../controller.ts';
import { EventRecorder } from '../events.ts';
import { limits } from '../limits.ts';
import { WorkQueue } from '../work-queue.ts';
import { selectNode } from './select-node.ts';

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

/** Binds each waiting pod to a node, as kube-scheduler does with its default profile (see `misfits` for what is not). */
export class Scheduler implements Controller {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue;
  readonly #recorder: EventRecorder;
  /** Decisions that the watch has not shown yet, by pod uid. */
  readonly #assumed = new Map<string, { pod: Pod; nodeName: string }>();
  readonly #unschedulable = new Map<string, Backoff>();

  constructor(context: ControllerContext) {
    this.#context = context;
    const { client, clock, logger, informers } = context;
    this.#recorder = new EventRecorder({ client, clock, logger, component: schedulerName });
    this.#queue = new WorkQueue({
      name: 'scheduler',
      clock,
      logger,
      concurrency: limits.bindConcurrency,
      work: (key, signal) => this.#schedule(key, signal),
    });
    const seen = (pod: Pod) => this.#podSeen(pod);
    informers.pods.on({ added: seen, updated: seen, deleted: (pod) => this.#podGone(pod) });
    const retry = () => this.#retryUnschedulable();
    informers.nodes.on({ added: retry, updated: retry, deleted: retry });
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #podSeen(pod: Pod): void {
    if (pod.spec?.nodeName) {
      this.#assumed.delete(pod.metadata?.uid ?? '');
      this.#unschedulable.delete(keyOf(pod));
      if (isFinished(pod)) this.#retryUnschedulable();
    } else if (waitsForNode(pod) && !this.#unschedulable.has(keyOf(pod))) {
      this.#queue.add(keyOf(pod));
    }
  }

  #podGone(pod: Pod): void {
    this.#assumed.delete(pod.metadata?.uid ?? '');
    this.#unschedulable.delete(keyOf(pod));
    this.#retryUnschedulable();
  }

  #retryUnschedulable(): void {
    for (const key of this.#unschedulable.keys()) this.#queue.add(key);
  }

  async #schedule(key: string, signal: AbortSignal): Promise<void> {
    const pod = this.#context.informers.pods.objects.get(key);
    const uid = pod?.metadata?.uid ?? '';
    if (!pod || !waitsForNode(pod) || this.#assumed.has(uid)) return;
    const decision = selectNode(pod, this.#nodeInfos());
    if ('message' in decision) return this.#postpone(key, pod, decision.message, signal);
    this.#assumed.set(uid, { pod, nodeName: decision.nodeName });
    try {
      await this.#bind(pod, decision.nodeName, signal);
    } catch (error) {
      this.#assumed.delete(uid);
      // Gone or bound by someone else in the meantime: the watch tells.
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
    }
  }

  async #bind(pod: Pod, nodeName: string, signal: AbortSignal): Promise<void> {
    const { name = '', namespace = '', uid } = pod.metadata ?? {};
    const binding: Binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
    };
    await this.#context.client
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
    this.#queue.addAfter(key, retry.nextDelayMs());
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
      lastTransitionTime: timeFromMs(this.#context.clock.nowMs()),
    };
    await this.#context.client.resource(kinds.pods).patch({
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
