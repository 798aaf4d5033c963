import type { PodRecord } from '../../observation/pod-record.ts';
import type { Allocation } from '../../pod/allocation.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodActions } from './pod-actions.ts';
import type { ProbeVerdicts } from './probe-verdicts.ts';

/** What a plan is made from, and the plan so far. */
export interface PlanView {
  pod: AssignedPod;
  record: PodRecord;
  verdicts: ProbeVerdicts;
  /** What the pod's containers were made with, as far as is known. */
  actuated: Allocation | undefined;
  actions: PodActions;
}
