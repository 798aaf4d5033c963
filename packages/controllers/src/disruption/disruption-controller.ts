import { isDeepStrictEqual } from 'node:util';
import { controllerOf, keyOf, kinds } from '@wherry/client';
import {
  hasReason,
  matcherFrom,
  type Pod,
  type PodDisruptionBudget,
  type PodDisruptionBudgetStatus,
  parseApiVersion,
  type ReplicationController,
} from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';
import { selectorInWords } from '../machinery/selector-in-words.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { messageOf } from '../ownership/pod-writes.ts';
import { budgetCounts, budgetStatus, disruptedPods, failedStatus, needsScale } from './budget-status.ts';
import { type ControllerScale, scaleOfAny } from './controller-scale.ts';
import { SharedPods } from './shared-pods.ts';
import { clearDisruption, staleInMs } from './stale-disruption.ts';

const watches = {
  budgets: { type: kinds.podDisruptionBudgets },
  pods: { type: kinds.pods },
  deployments: { type: kinds.deployments },
  replicaSets: { type: kinds.replicaSets },
  statefulSets: { type: kinds.statefulSets },
  replicationControllers: { type: kinds.replicationControllers },
};
type Context = ControllerContext<typeof watches>;

/** Keys of pods among those of budgets, which begin with the name of a namespace. */
const podKeyPrefix = 'pod:';

/**
 * Works out how many pods of a budget may be evicted now; evictions themselves count them down. And takes back what pods say
 * of a disruption that did not come.
 */
export const disruptionController = defineController({
  name: 'disruption-controller',
  watches,
  writes: ['poddisruptionbudgets/status', 'pods/status', 'events'],
  build: (context) => new DisruptionController(context),
});

/** What has a number of pods. */
type Scaled = Pick<ReplicationController, 'metadata'> & { spec: { replicas?: number } };

class DisruptionController implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #writes: OwnWrites;
  readonly #recorder: EventRecorder;
  readonly #shared: SharedPods;
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    const { client, clock, logger } = context.cluster;
    this.#context = context;
    this.#writes = new OwnWrites(clock);
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'controllermanager' });
    this.#shared = new SharedPods(this.#recorder);
    const { budgets } = context.informers;
    const inNamespace = (namespace: string | undefined) =>
      [...budgets.objects.values()].filter(({ metadata }) => metadata.namespace === namespace);
    // A controller's number of pods counts as soon as it is asked for.
    const ofScale = ({ metadata }: { metadata: { namespace?: string } }) =>
      inNamespace(metadata.namespace).filter(needsScale).map(keyOf);
    this.keysOf = {
      budgets: (budget) => [keyOf(budget)],
      pods: (pod, change, previous) => {
        const near = inNamespace(pod.metadata.namespace);
        const covering = near.filter((budget) => covers(budget, pod));
        const left = near.filter((budget) => previous !== undefined && covers(budget, previous));
        const keys = new Set([...covering, ...left].map(keyOf));
        if (change === 'deleted') this.#shared.forget(pod);
        else this.#shared.look(pod, covering);
        const isWatched = change !== 'deleted' && staleInMs(pod, clock.nowMs()) !== undefined;
        return isWatched ? [...keys, `${podKeyPrefix}${keyOf(pod)}`] : keys;
      },
      deployments: ofScale,
      replicaSets: ofScale,
      statefulSets: ofScale,
      replicationControllers: ofScale,
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    if (key.startsWith(podKeyPrefix)) return this.#reconcilePod(key, signal);
    const { informers, cluster, queue } = this.#context;
    const budget = informers.budgets.objects.get(key);
    if (!budget) return this.#writes.forget(key);
    if (!this.#writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
    const nowMs = cluster.clock.nowMs();
    const pods = [...informers.pods.objects.values()].filter((pod) => covers(budget, pod));
    try {
      const { observedGeneration, expectedPods } = budget.status ?? {};
      if (pods.length === 0 && (expectedPods !== 0 || observedGeneration !== budget.metadata.generation))
        this.#tell(budget, 'Normal', 'NoPods', 'No matching pods found');
      const scale = needsScale(budget) ? await this.#scaleOf(budget, pods, signal) : 0;
      const { waiting, overdue, recheckMs } = disruptedPods(budget, pods, nowMs);
      for (const pod of overdue) this.#tellOverdue(budget, pod);
      const counts = budgetCounts(budget, pods.length, scale);
      await this.#store(budget, budgetStatus(budget, pods, { counts, waiting, nowMs }), signal);
      if (Number.isFinite(recheckMs)) queue.addAfter(key, Math.max(0, recheckMs) + 1_000);
    } catch (error) {
      if (signal.aborted || hasReason(error, 'Conflict')) throw error;
      this.#tell(budget, 'Warning', 'CalculateExpectedPodCountFailed', failureText(error));
      await this.#store(budget, failedStatus(budget, messageOf(error), nowMs), signal);
    }
  }

  /** Says of a pod that nobody deleted in time that it is no target of disruption. */
  async #reconcilePod(key: string, signal: AbortSignal): Promise<void> {
    const { informers, cluster, queue } = this.#context;
    const pod = informers.pods.objects.get(key.slice(podKeyPrefix.length));
    const nowMs = cluster.clock.nowMs();
    const leftMs = pod && staleInMs(pod, nowMs);
    if (!pod || leftMs === undefined) return;
    if (leftMs > 0) return queue.addAfter(key, leftMs);
    await clearDisruption(cluster.client, pod, { nowMs, signal });
  }

  /** How many pods the controllers of these ask for. Throws on one whose controller is gone, or asks for no number. */
  async #scaleOf(budget: PodDisruptionBudget, pods: readonly Pod[], signal: AbortSignal): Promise<number> {
    const scales = new Map<string, number>();
    const asked = new Set<string>();
    let unmanaged = 0;
    for (const pod of pods) {
      const uid = controllerOf(pod)?.uid;
      if (uid === undefined) unmanaged += 1;
      if (uid === undefined || asked.has(uid)) continue;
      asked.add(uid);
      const found = await this.#scaleOfController(keyOf(budget), pod, signal);
      if (!found) throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
      scales.set(found.uid, found.replicas);
    }
    const advice =
      'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
      'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
    const who = `Pods selected by this PodDisruptionBudget (selector: ${selectorInWords(budget.spec.selector)})`;
    if (unmanaged > 0)
      this.#tell(budget, 'Warning', 'UnmanagedPods', `${who} were found to be unmanaged. ${advice}`);
    return [...scales.values()].reduce((sum, count) => sum + count, 0);
  }

  async #scaleOfController(
    budgetKey: string,
    pod: Pod,
    signal: AbortSignal,
  ): Promise<ControllerScale | undefined> {
    const reference = controllerOf(pod)!;
    const { namespace } = pod.metadata;
    const { deployments, replicaSets, statefulSets, replicationControllers } = this.#context.informers;
    const key = (each: string) => `${namespace}/${each}`;
    const sources = new Map<string, ReadonlyMap<string, Scaled>>([
      ['apps ReplicaSet', replicaSets.objects],
      ['apps StatefulSet', statefulSets.objects],
      [' ReplicationController', replicationControllers.objects],
    ]);
    const group = parseApiVersion(reference.apiVersion)?.group ?? '';
    const found = sources.get(`${group} ${reference.kind}`)?.get(key(reference.name));
    if (found?.metadata.uid !== reference.uid || !found) {
      // Nothing tells when that controller's kind is served, or when it asks for another number.
      this.#context.queue.addAfter(budgetKey, limits.ownerRecheckMs);
      return scaleOfAny(this.#context.cluster, reference, { namespace, signal });
    }
    const above = controllerOf(found);
    const deployment = above?.kind === 'Deployment' ? deployments.objects.get(key(above.name)) : undefined;
    const scaled: Scaled = deployment && deployment.metadata.uid === above?.uid ? deployment : found;
    return { uid: scaled.metadata.uid ?? '', replicas: scaled.spec.replicas ?? 1 };
  }

  async #store(budget: PodDisruptionBudget, status: PodDisruptionBudgetStatus, signal: AbortSignal) {
    if (isDeepStrictEqual(status, budget.status)) return;
    const resource = this.#context.cluster.client.resource(kinds.podDisruptionBudgets);
    const updated = await resource.update({ ...budget, status }, { subresource: 'status', signal });
    this.#writes.wrote(keyOf(budget), this.#context.informers.budgets, updated);
  }

  #tell(budget: PodDisruptionBudget, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorder.recordOf(kinds.podDisruptionBudgets, budget, { type, reason, message });
  }

  #tellOverdue({ metadata }: PodDisruptionBudget, pod: Pod): void {
    const message = `Pod was expected by PDB ${metadata.namespace}/${metadata.name} to be deleted but it wasn't`;
    this.#recorder.record(pod, { type: 'Warning', reason: 'NotDeleted', message });
  }
}

function covers({ metadata, spec }: PodDisruptionBudget, pod: Pod): boolean {
  return (
    metadata.namespace === pod.metadata.namespace && matcherFrom(spec.selector).matches(pod.metadata.labels)
  );
}

function failureText(error: unknown): string {
  return `Failed to calculate the number of expected pods: ${messageOf(error)}`;
}
