/** Violations in the status of a job, which other controllers may write (upstream: pkg/apis/batch/validation). */

import type { Job } from '../../generated/types.ts';
import { at, child, duplicate, type FieldError, invalidValue } from '../../status/field-error.ts';
import { validateCounts } from '../../validation/counts.ts';
import { countIndexes } from './job-policies.ts';

const field = 'status';

/** What is looked at only where it has changed: a status may lag behind its spec. */
export function validateJobStatus(next: Job, previous: Job): FieldError[] {
  return [
    ...validateCounts(next.status, ['active', 'succeeded', 'failed', 'ready', 'terminating']),
    ...validateUncounted(next),
    ...validateEnd(next, previous),
    ...validateIndexes(next, previous),
    ...validateKept(next, previous),
  ];
}

const has = ({ status }: Job, wanted: string) =>
  status?.conditions?.some(({ type, status: value }) => type === wanted && value === 'True') ?? false;
const isFinished = (job: Job) => has(job, 'Complete') || has(job, 'Failed');

function validateUncounted({ status }: Job): FieldError[] {
  const { succeeded = [], failed = [] } = status?.uncountedTerminatedPods ?? {};
  const seen = new Set<string>();
  return Object.entries({ succeeded, failed }).flatMap(([name, uids]) =>
    uids.flatMap((uid, index) => {
      const place = at(child(field, 'uncountedTerminatedPods', name), index);
      if (uid === '') return [invalidValue(place, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(place, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function validateEnd(next: Job, previous: Job): FieldError[] {
  const { status = {} } = next;
  const told = (name: string, detail: string) => invalidValue(child(field, name), undefined, detail);
  const changed = (condition: string) => has(next, condition) !== has(previous, condition);
  const ends = isFinished(next) !== isFinished(previous);
  const differs = (name: 'active' | 'ready' | 'terminating' | 'startTime' | 'completionTime') =>
    status[name] !== previous.status?.[name];
  const isComplete = has(next, 'Complete');
  const completionMatters = changed('Complete') || differs('completionTime');
  const errors: FieldError[] = [];
  const when = (isWrong: boolean, name: string, detail: string) => {
    if (isWrong) errors.push(told(name, detail));
  };
  when(
    (changed('Complete') || changed('Failed')) && isComplete && has(next, 'Failed'),
    'conditions',
    'Complete and Failed exclude each other',
  );
  when(
    (changed('Complete') || changed('FailureTarget')) && isComplete && has(next, 'FailureTarget'),
    'conditions',
    'Complete and FailureTarget exclude each other',
  );
  when(
    completionMatters && status.completionTime !== undefined && !isComplete,
    'completionTime',
    'needs the condition Complete',
  );
  when(
    completionMatters && status.completionTime === undefined && isComplete,
    'completionTime',
    'is required for Complete jobs',
  );
  const isEarly =
    status.completionTime !== undefined &&
    status.startTime !== undefined &&
    Date.parse(status.completionTime) < Date.parse(status.startTime);
  when(
    (differs('startTime') || differs('completionTime')) && isEarly,
    'completionTime',
    'cannot be before startTime',
  );
  const failedIndexesDiffer = status.failedIndexes !== previous.status?.failedIndexes;
  when(
    (changed('Failed') || failedIndexesDiffer) && has(next, 'Failed') && !has(next, 'FailureTarget'),
    'conditions',
    'Failed needs FailureTarget',
  );
  when(
    (changed('Complete') || changed('SuccessCriteriaMet')) && isComplete && !has(next, 'SuccessCriteriaMet'),
    'conditions',
    'Complete needs SuccessCriteriaMet',
  );
  when(
    (ends || differs('active')) && isFinished(next) && (status.active ?? 0) > 0,
    'active',
    'a finished job has no active pods',
  );
  const isIdle = next.spec.suspend === true && next.spec.completions === 0;
  when(
    (ends || differs('startTime')) && !isIdle && isFinished(next) && status.startTime === undefined,
    'startTime',
    'is required for finished jobs',
  );
  when(
    (ends || differs('terminating')) && isFinished(next) && (status.terminating ?? 0) > 0,
    'terminating',
    'a finished job has no terminating pods',
  );
  when(
    (differs('ready') || differs('active')) &&
      status.ready !== undefined &&
      status.ready > (status.active ?? 0),
    'ready',
    'cannot be more than active',
  );
  return errors;
}

function validateIndexes(next: Job, previous: Job): FieldError[] {
  const { completedIndexes = '', failedIndexes } = next.status ?? {};
  const { completions, backoffLimitPerIndex, completionMode } = next.spec;
  const completedDiffer = completedIndexes !== (previous.status?.completedIndexes ?? '');
  const failedDiffer = failedIndexes !== previous.status?.failedIndexes;
  const told = (name: string, detail: string) => invalidValue(child(field, name), undefined, detail);
  const isMalformed = (text: string) =>
    completions !== undefined && countIndexes(text, completions) === undefined;
  return [
    ...(completedDiffer && isMalformed(completedIndexes)
      ? [told('completedIndexes', 'must be ascending indexes')]
      : []),
    ...(completedDiffer && completedIndexes !== '' && completionMode !== 'Indexed'
      ? [told('completedIndexes', 'are for indexed jobs')]
      : []),
    ...(failedDiffer &&
    failedIndexes !== undefined &&
    backoffLimitPerIndex !== undefined &&
    isMalformed(failedIndexes)
      ? [told('failedIndexes', 'must be ascending indexes')]
      : []),
    ...(failedDiffer && failedIndexes !== undefined && backoffLimitPerIndex === undefined
      ? [told('failedIndexes', 'are for jobs with a limit per index')]
      : []),
  ];
}

/** An end stays an end, and counters count. */
function validateKept(next: Job, previous: Job): FieldError[] {
  const { status = {} } = next;
  const { status: before = {} } = previous;
  const isScaled = next.spec.completionMode === 'Indexed' && next.spec.completions === next.spec.parallelism;
  const ends = ['Failed', 'Complete', 'FailureTarget', 'SuccessCriteriaMet'];
  const resumes =
    has(previous, 'Suspended') &&
    (status.conditions ?? []).some(({ type, status: value }) => type === 'Suspended' && value === 'False');
  const errors = ends
    .filter((type) => has(previous, type) && !has(next, type))
    .map((type) =>
      invalidValue(child(field, 'conditions'), undefined, `cannot disable the terminal ${type} condition`),
    );
  const fell = (name: 'failed' | 'succeeded') => (status[name] ?? 0) < (before[name] ?? 0);
  if (fell('failed')) errors.push(invalidValue('status.failed', status.failed ?? 0, 'cannot decrease'));
  if (fell('succeeded') && !isScaled)
    errors.push(invalidValue('status.succeeded', status.succeeded ?? 0, 'cannot decrease'));
  const isMoved = status.completionTime !== undefined && before.completionTime !== undefined;
  if (isMoved && status.completionTime !== before.completionTime) {
    errors.push(invalidValue('status.completionTime', status.completionTime, 'field is immutable'));
  }
  const restarts = before.startTime !== undefined && before.startTime !== status.startTime;
  if (restarts && next.spec.suspend !== true && !resumes) {
    errors.push(
      invalidValue('status.startTime', status.startTime, 'is immutable for a job that is not suspended'),
    );
  }
  return errors;
}
