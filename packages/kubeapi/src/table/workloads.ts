/** Rows of deployments, sets and jobs. */
import type {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '../generated/types.ts';
import { age, humanDuration } from './human-duration.ts';
import {
  ageColumn,
  column,
  containerCells,
  labelText,
  nameColumn,
  type Printer,
  selectorText,
  wide,
} from './printer.ts';

const templateColumns = [wide('Containers'), wide('Images'), wide('Selector')];

/** Prints deployments. */
export const deploymentPrinter: Printer<Deployment> = {
  columns: [
    nameColumn,
    column('Ready'),
    column('Up-to-date'),
    column('Available'),
    ageColumn,
    ...templateColumns,
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[
      metadata.name ?? '',
      `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
    ],
    ...[status?.availableReplicas ?? 0, age(metadata.creationTimestamp, nowMs)],
    ...[...containerCells(spec.template.spec?.containers), selectorText(spec.selector)],
  ],
};

const replicaColumns = [
  nameColumn,
  column('Desired', 'integer'),
  column('Current', 'integer'),
  column('Ready', 'integer'),
];

/** Prints replica sets. */
export const replicaSetPrinter: Printer<ReplicaSet> = {
  columns: [...replicaColumns, ageColumn, ...templateColumns],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0],
    age(metadata.creationTimestamp, nowMs),
    ...[...containerCells(spec.template?.spec?.containers), selectorText(spec.selector)],
  ],
};

/** Prints replication controllers. */
export const replicationControllerPrinter: Printer<ReplicationController> = {
  columns: [...replicaColumns, ageColumn, ...templateColumns],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0],
    age(metadata.creationTimestamp, nowMs),
    ...[...containerCells(spec.template?.spec?.containers), labelText(spec.selector)],
  ],
};

/** Prints stateful sets. */
export const statefulSetPrinter: Printer<StatefulSet> = {
  columns: [nameColumn, column('Ready'), ageColumn, wide('Containers'), wide('Images')],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`],
    ...[age(metadata.creationTimestamp, nowMs), ...containerCells(spec.template.spec?.containers)],
  ],
};

/** Prints daemon sets. */
export const daemonSetPrinter: Printer<DaemonSet> = {
  columns: [
    ...[
      ...replicaColumns,
      column('Up-to-date', 'integer'),
      column('Available', 'integer'),
      column('Node Selector'),
    ],
    ...[ageColumn, ...templateColumns],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', status?.desiredNumberScheduled ?? 0, status?.currentNumberScheduled ?? 0],
    ...[status?.numberReady ?? 0, status?.updatedNumberScheduled ?? 0, status?.numberAvailable ?? 0],
    ...[labelText(spec.template.spec?.nodeSelector), age(metadata.creationTimestamp, nowMs)],
    ...[...containerCells(spec.template.spec?.containers), selectorText(spec.selector)],
  ],
};

/** Prints jobs. */
export const jobPrinter: Printer<Job> = {
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

/** Prints cron jobs. */
export const cronJobPrinter: Printer<CronJob> = {
  columns: [
    ...[
      nameColumn,
      column('Schedule'),
      column('Timezone'),
      column('Suspend', 'boolean'),
      column('Active', 'integer'),
    ],
    ...[column('Last Schedule'), ageColumn, ...templateColumns],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.schedule, spec.timeZone ?? '<none>'],
    ...[
      spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
      status?.active?.length ?? 0,
    ],
    ...[
      status?.lastScheduleTime ? age(status.lastScheduleTime, nowMs) : '<none>',
      age(metadata.creationTimestamp, nowMs),
    ],
    ...[
      ...containerCells(spec.jobTemplate.spec?.template.spec?.containers),
      selectorText(spec.jobTemplate.spec?.selector),
    ],
  ],
};

/** Prints pod disruption budgets. */
export const disruptionBudgetPrinter: Printer<PodDisruptionBudget> = {
  columns: [
    ...[
      nameColumn,
      column('Min Available'),
      column('Max Unavailable'),
      column('Allowed Disruptions', 'integer'),
    ],
    ageColumn,
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', String(spec.minAvailable ?? 'N/A'), String(spec.maxUnavailable ?? 'N/A')],
    ...[status?.disruptionsAllowed ?? 0, age(metadata.creationTimestamp, nowMs)],
  ],
};
