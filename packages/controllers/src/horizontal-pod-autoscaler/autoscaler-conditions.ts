import { type HorizontalPodAutoscalerCondition, timeFromMs } from '@wherry/kubeapi/objects';

/** The conditions of an autoscaler in one look at it: each in its place, with the time at which its status turned. */
export class AutoscalerConditions {
  readonly #conditions: HorizontalPodAutoscalerCondition[];
  readonly #now: string;

  constructor(conditions: readonly HorizontalPodAutoscalerCondition[] | undefined, nowMs: number) {
    this.#conditions = structuredClone([...(conditions ?? [])]);
    this.#now = timeFromMs(nowMs);
  }

  set(
    type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited',
    is: boolean,
    reason: string,
    message: string,
  ): void {
    const status = is ? 'True' : 'False';
    const index = this.#conditions.findIndex((each) => each.type === type);
    const known = this.#conditions[index];
    const lastTransitionTime = known?.status === status ? known.lastTransitionTime : this.#now;
    const condition = { type, status, lastTransitionTime, reason, message };
    if (known) this.#conditions[index] = condition as HorizontalPodAutoscalerCondition;
    else this.#conditions.push(condition as HorizontalPodAutoscalerCondition);
  }

  get list(): HorizontalPodAutoscalerCondition[] {
    return this.#conditions;
  }
}
