import { messageOf } from '../../ownership/pod-writes.ts';

/** A step of a decision that was taken and could not be carried out, as kube-scheduler names it. */
export class FailedStep extends Error {
  constructor(step: FailedStepName, cause: unknown) {
    super(`running ${step}: ${messageOf(cause)}`, { cause });
  }
}

type FailedStepName =
  | 'Bind plugin "DefaultBinder"'
  | 'PreBind plugin "VolumeBinding"'
  | 'PreBind plugin "DynamicResources"';

/** Awaits a step; what it throws says which it was. */
export async function step<T>(name: FailedStepName, done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    throw new FailedStep(name, error);
  }
}
