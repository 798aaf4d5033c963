import type { Descriptions } from './descriptions.ts';

const replicas = 'How many pods are wanted; 1 unless said otherwise.';
const selector = 'Which pods belong to it. Must match the labels of the template.';
const template = 'What its pods look like.';

/** Deployments, sets and jobs. */
export const batchDescriptions: Descriptions = {
  Deployment: { '': 'Keeps a number of equal pods running and replaces them step by step.' },
  DeploymentSpec: {
    '': 'What a deployment should run.',
    replicas,
    selector,
    template,
    strategy: 'How old pods are replaced by new ones.',
    minReadySeconds: 'Seconds a pod must be ready to count as available.',
    revisionHistoryLimit: 'How many old replica sets are kept.',
    paused: 'Hold changes back.',
    progressDeadlineSeconds: 'Seconds without progress after which it counts as failed.',
  },
  ReplicaSet: { '': 'Keeps a number of equal pods running.' },
  ReplicaSetSpec: {
    '': 'What a replica set should run.',
    replicas,
    selector,
    template,
    minReadySeconds: 'Seconds a pod must be ready to count as available.',
  },
  StatefulSet: { '': 'Keeps pods running that each have a lasting name and storage.' },
  StatefulSetSpec: {
    '': 'What a stateful set should run.',
    replicas,
    selector,
    template,
    serviceName: 'The service that names the pods.',
    volumeClaimTemplates: 'Claims made for each pod.',
    podManagementPolicy: 'OrderedReady or Parallel.',
    updateStrategy: 'How pods are replaced.',
  },
  DaemonSet: { '': 'Runs one pod on every node that matches.' },
  DaemonSetSpec: {
    '': 'What a daemon set should run.',
    selector,
    template,
    updateStrategy: 'How pods are replaced.',
    minReadySeconds: 'Seconds a pod must be ready to count as available.',
  },
  Job: { '': 'Runs pods until enough of them succeeded.' },
  JobSpec: {
    '': 'What a job should run.',
    parallelism: 'How many pods at once.',
    completions: 'How many must succeed.',
    backoffLimit: 'How many failures are put up with; 6 unless said otherwise.',
    activeDeadlineSeconds: 'Seconds the job may take.',
    ttlSecondsAfterFinished: 'Seconds after its end until it is removed.',
    template,
    suspend: 'Hold the job.',
  },
  CronJob: { '': 'Makes jobs at set times.' },
  CronJobSpec: {
    '': 'When and what.',
    schedule: 'Five cron fields: minute, hour, day, month, weekday.',
    timeZone: 'The zone of the schedule.',
    concurrencyPolicy: 'Allow, Forbid or Replace, when the last job still runs.',
    suspend: 'Make no new jobs.',
    jobTemplate: 'What its jobs look like.',
  },
  HorizontalPodAutoscaler: { '': 'Changes the number of replicas by measured load.' },
  PodDisruptionBudget: { '': 'Says how many pods may be taken away at once on purpose.' },
};
