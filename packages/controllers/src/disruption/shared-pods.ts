import type { Pod, PodDisruptionBudget } from '@wherry/kubeapi/objects';
import type { EventRecorder } from '../machinery/events.ts';

/** Says of pods that several budgets cover them, which is why they can't be evicted; once of each set of budgets. */
export class SharedPods {
  readonly #recorder: Pick<EventRecorder, 'record'>;
  /** The names of the budgets that were last told, by the pod's uid. */
  readonly #told = new Map<string, string>();

  constructor(recorder: Pick<EventRecorder, 'record'>) {
    this.#recorder = recorder;
  }

  look(pod: Pod, budgets: readonly PodDisruptionBudget[]): void {
    const { namespace, name, uid = '' } = pod.metadata;
    const names = budgets.map(({ metadata }) => metadata.name ?? '').sort();
    if (names.length < 2) this.forget(pod);
    if (names.length < 2 || this.#told.get(uid) === names.join()) return;
    this.#told.set(uid, names.join());
    this.#recorder.record(pod, {
      ...{ type: 'Warning', reason: 'MultiplePodDisruptionBudgets' },
      message: `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${names[0]}" arbitrarily.`,
    });
  }

  forget({ metadata: { uid = '' } }: Pod): void {
    this.#told.delete(uid);
  }
}
