/** Jobs. */

import { object } from '../../defaults/parts.ts';
import { defaultLabels, templateLabels } from '../../defaults/template-labels.ts';
import type { Job } from '../../generated/types.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { age, humanDuration } from '../../table/human-duration.ts';
import {
  ageColumn,
  column,
  containerCells,
  nameColumn,
  type Printer,
  selectorText,
  templateColumns,
} from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { validateJobStatus } from './job-status.ts';
import { validateJobUpdate } from './job-update.ts';
import { validateJob } from './job-validation.ts';

const int32Max = 2 ** 31 - 1;

const printer: Printer<Job> = {
  columns: [
    nameColumn,
    column('Status'),
    column('Completions'),
    column('Duration'),
    ageColumn,
    ...templateColumns,
  ],
  cells: (job, nowMs) => [
    ...[job.metadata.name ?? '', jobStatus(job), jobCompletions(job), jobDuration(job, nowMs)],
    age(job.metadata.creationTimestamp, nowMs),
    ...[...containerCells(job.spec.template.spec?.containers), selectorText(job.spec.selector)],
  ],
};

/** Jobs. */
export const job: KindDefinition<Job> = {
  group: 'batch',
  kind: 'Job',
  printer,
  fieldLabels: { 'status.successful': '' },
  unselectable: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateSubresource: { status: validateJobStatus },
  defaults: {
    PodFailurePolicyOnPodConditionsPattern: { status: 'True' },
  },
  computedDefaults: {
    Job: defaultJob,
  },
  descriptions: {
    Job: { '': 'Runs pods until enough of them succeeded.' },
    JobSpec: {
      '': 'What a job should run.',
      parallelism: 'How many pods at once.',
      completions: 'How many must succeed.',
      backoffLimit: 'How many failures are put up with; 6 unless said otherwise.',
      activeDeadlineSeconds: 'Seconds the job may take.',
      ttlSecondsAfterFinished: 'Seconds after its end until it is removed.',
      template: 'What its pods look like.',
      suspend: 'Hold the job.',
    },
  },
};

function jobStatus({ metadata, status }: Job): string {
  const has = (wanted: string) =>
    status?.conditions?.some(({ type, status }) => type === wanted && status === 'True');
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function jobCompletions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration({ status }: Job, nowMs: number): string {
  if (!status?.startTime) return '';
  const endMs = status.completionTime ? Date.parse(status.completionTime) : nowMs;
  return humanDuration(endMs - Date.parse(status.startTime));
}

function defaultJob(job: JsonObject): void {
  defaultLabels(job, templateLabels(job));
  const spec = object(job['spec']);
  spec['completionMode'] ??= 'NonIndexed';
  spec['suspend'] ??= false;
  spec['manualSelector'] ??= false;
  if (spec['parallelism'] === undefined) spec['completions'] ??= 1;
  spec['parallelism'] ??= 1;
  spec['backoffLimit'] ??= spec['backoffLimitPerIndex'] === undefined ? 6 : int32Max;
  spec['podReplacementPolicy'] ??= spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed';
}
