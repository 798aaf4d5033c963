import { isDeepStrictEqual } from 'node:util';
import { keyOf, kinds } from '@wherry/client';
import {
  hasReason,
  matcherFrom,
  type Pod,
  type PodDisruptionBudget,
  type PodDisruptionBudgetStatus,
  type ReplicationController,
} from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { messageOf } from '../ownership/pod-writes.ts';
import { controllerOf } from '../watching/controller-reference.ts';
import { budgetCounts, budgetStatus, disruptedPods, failedStatus, needsScale } from './budget-status.ts';

const watches = {
  budgets: { type: kinds.podDisruptionBudgets },
  pods: { type: kinds.pods },
  deployments: { type: kinds.deployments },
  replicaSets: { type: kinds.replicaSets },
  statefulSets: { type: kinds.statefulSets },
  replicationControllers: { type: kinds.replicationControllers },
};
type Context = ControllerContext<typeof watches>;

/** Works out how many pods of a budget may be evicted now; evictions themselves count them down. */
export const disruptionController = defineController({
  name: 'disruption-controller',
  watches,
  writes: ['poddisruptionbudgets/status', 'events'],
  waitsForLists: true,
  build: (context) => new DisruptionController(context),
});

/** What has a number of pods. */
type Scaled = Pick<ReplicationController, 'metadata'> & { spec: { replicas?: number } };

class DisruptionController implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #writes: OwnWrites;
  readonly #recorder: EventRecorder;
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    const { client, clock, logger } = context.cluster;
    this.#context = context;
    this.#writes = new OwnWrites(clock);
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'controllermanager' });
    const { budgets } = context.informers;
    const inNamespace = (namespace: string | undefined) =>
      [...budgets.objects.values()].filter(({ metadata }) => metadata.namespace === namespace);
    // A controller's number of pods counts as soon as it is asked for.
    const ofScale = ({ metadata }: { metadata: { namespace?: string } }) =>
      inNamespace(metadata.namespace).filter(needsScale).map(keyOf);
    this.keysOf = {
      budgets: (budget) => [keyOf(budget)],
      pods: (pod, _change, previous) =>
        inNamespace(pod.metadata.namespace)
          .filter((budget) => covers(budget, pod) || (previous !== undefined && covers(budget, previous)))
          .map(keyOf),
      deployments: ofScale,
      replicaSets: ofScale,
      statefulSets: ofScale,
      replicationControllers: ofScale,
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { informers, cluster, queue } = this.#context;
    const budget = informers.budgets.objects.get(key);
    if (!budget) return this.#writes.forget(key);
    if (!this.#writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
    const nowMs = cluster.clock.nowMs();
    const pods = [...informers.pods.objects.values()].filter((pod) => covers(budget, pod));
    try {
      if (pods.length === 0 && budget.status?.expectedPods !== 0)
        this.#tell(budget, 'Normal', 'NoPods', 'No matching pods found');
      const scale = needsScale(budget) ? this.#scaleOf(budget, pods) : 0;
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

  /** How many pods the controllers of these ask for. Throws on one whose controller is of a kind without that number. */
  #scaleOf(budget: PodDisruptionBudget, pods: readonly Pod[]): number {
    const scales = new Map<string, number>();
    let unmanaged = 0;
    for (const pod of pods) {
      const found = controllerOf(pod) ? this.#scaleOfController(pod) : undefined;
      if (found) scales.set(found.uid, found.replicas);
      else unmanaged += 1;
    }
    const advice =
      'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
      'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
    const who = `Pods selected by this PodDisruptionBudget (selector: ${JSON.stringify(budget.spec.selector)})`;
    if (unmanaged > 0)
      this.#tell(budget, 'Warning', 'UnmanagedPods', `${who} were found to be unmanaged. ${advice}`);
    return [...scales.values()].reduce((sum, count) => sum + count, 0);
  }

  #scaleOfController(pod: Pod): { uid: string; replicas: number } {
    const { kind, name, uid } = controllerOf(pod)!;
    const { deployments, replicaSets, statefulSets, replicationControllers } = this.#context.informers;
    const key = (each: string) => `${pod.metadata.namespace}/${each}`;
    const sources = new Map<string, ReadonlyMap<string, Scaled>>([
      ['ReplicaSet', replicaSets.objects],
      ['StatefulSet', statefulSets.objects],
      ['ReplicationController', replicationControllers.objects],
    ]);
    const found = sources.get(kind)?.get(key(name));
    if (!found || found.metadata.uid !== uid)
      throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
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
