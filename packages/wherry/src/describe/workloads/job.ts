import type { CronJob, Job, JobSpec, JobStatus } from '@wherry/kubeapi';
import { humanDuration } from '@wherry/kubeapi/printers';
import { templateLines } from '../pods/template.ts';
import type { Surroundings } from '../surroundings.ts';
import { headLines, metadataLines, selectorText } from '../text/labels.ts';
import { field, given, type Lines, yesNo } from '../text/lines.ts';
import { controllerLines } from '../text/owner.ts';
import { clockTime } from '../text/times.ts';

/** Longer lists of indexes are cut behind the number that begins within. */
const indexesLengthMax = 50;

/** A Job: how often it runs, and how far it is. */
export async function describeJob(job: Job, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec, status = {} } = job;
  const { completionMode, activeDeadlineSeconds } = spec ?? {};
  return [
    ...headLines(metadata),
    field('Selector', selectorText(spec?.selector)),
    ...metadataLines(metadata),
    ...controllerLines(metadata),
    ...given('Parallelism', spec?.parallelism),
    field('Completions', spec?.completions ?? '<unset>'),
    ...given('Completion Mode', completionMode),
    ...given('Suspend', spec?.suspend),
    ...given('Backoff Limit', spec?.backoffLimit),
    ...given('TTL Seconds After Finished', spec?.ttlSecondsAfterFinished),
    ...timeLines(status),
    ...given('Active Deadline Seconds', seconds(activeDeadlineSeconds)),
    podsLine(status),
    ...(completionMode === 'Indexed'
      ? [field('Completed Indexes', indexesText(status.completedIndexes))]
      : []),
    ...templateLines(spec?.template),
    ...(await surroundings.events(job)),
  ];
}

const seconds = (count: number | undefined): string | undefined =>
  count === undefined ? undefined : `${count}s`;

function timeLines({ startTime, completionTime }: JobStatus): Lines {
  const isOver = startTime !== undefined && completionTime !== undefined;
  return [
    ...given('Start Time', startTime && clockTime(startTime)),
    ...given('Completed At', completionTime && clockTime(completionTime)),
    ...(isOver ? [field('Duration', humanDuration(Date.parse(completionTime) - Date.parse(startTime)))] : []),
  ];
}

function podsLine({ active = 0, ready, succeeded = 0, failed = 0 }: JobStatus): string {
  const readiness = ready === undefined ? '' : ` (${ready} Ready)`;
  return field('Pods Statuses', `${active} Active${readiness} / ${succeeded} Succeeded / ${failed} Failed`);
}

function indexesText(indexes = ''): string {
  if (indexes === '') return '<none>';
  const end = indexes.indexOf(',', indexesLengthMax);
  return end < 0 ? indexes : `${indexes.slice(0, end + 1)}...`;
}

/** A CronJob: when it runs, and what runs now. */
export async function describeCronJob(cronJob: CronJob, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec, status = {} } = cronJob;
  const { suspend, successfulJobsHistoryLimit, failedJobsHistoryLimit } = spec ?? {};
  const running = (status.active ?? []).map(({ name = '' }) => name).join(', ');
  return [
    ...headLines(metadata),
    ...metadataLines(metadata),
    field('Schedule', spec?.schedule),
    field('Concurrency Policy', spec?.concurrencyPolicy),
    field('Suspend', suspend === undefined ? '<unset>' : yesNo(suspend)),
    field('Time Zone', spec?.timeZone ?? '<unset>'),
    field('Successful Job History Limit', successfulJobsHistoryLimit ?? '<unset>'),
    field('Failed Job History Limit', failedJobsHistoryLimit ?? '<unset>'),
    field('Starting Deadline Seconds', seconds(spec?.startingDeadlineSeconds) ?? '<unset>'),
    ...jobLines(spec?.jobTemplate.spec),
    field('Last Schedule Time', status.lastScheduleTime ? clockTime(status.lastScheduleTime) : '<unset>'),
    field('Active Jobs', running || '<none>'),
    ...(await surroundings.events(cronJob)),
  ];
}

const jobLines = (spec: JobSpec | undefined): Lines => [
  field('Selector', spec?.selector ? selectorText(spec.selector) : '<unset>'),
  field('Parallelism', spec?.parallelism ?? '<unset>'),
  field('Completions', spec?.completions ?? '<unset>'),
  ...given('Active Deadline Seconds', seconds(spec?.activeDeadlineSeconds)),
  ...templateLines(spec?.template),
];
