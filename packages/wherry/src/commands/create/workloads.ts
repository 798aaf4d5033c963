import { randomBytes } from 'node:crypto';
import type { KubeClient, KubeObject } from '@wherry/client';
import type { CronJob, Deployment, Job, JobSpec } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import type { KubeFlags } from '../../kube/flags.ts';
import { meantObjects } from '../../objects/find-objects.ts';

/** What a Deployment runs. */
export interface DeploymentFlags {
  image: string[];
  replicas: number;
  /** Below 0 for none. */
  port: number;
}

/** A Deployment of one container for each image. */
export function deploymentObject(
  name: string,
  command: readonly string[],
  { image: images, replicas, port }: DeploymentFlags,
): Deployment {
  if (images.length > 1 && command.length > 0)
    throw new CommandError('cannot specify multiple --image options and command');
  const labels = { app: name };
  const containers = images.map((image, index) => ({
    ...{ name: containerName(image), image },
    ...(command.length > 0 ? { command: [...command] } : {}),
    ...(port >= 0 && index === 0 ? { ports: [{ containerPort: port }] } : {}),
  }));
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

/** The last part of an image's name, and something more where that is no name of a container. */
function containerName(image: string): string {
  const [bare = ''] = (image.split('/').at(-1) ?? '').split(/[:@]/);
  const name = bare.replaceAll(/[_.]/g, '-');
  return name === bare ? name : `${name}-${randomBytes(3).toString('hex').slice(1)}`;
}

/** The one container of a Job. */
const containerOf = (name: string, image: string, command: readonly string[]) => ({
  ...{ name, image },
  ...(command.length > 0 ? { command: [...command] } : {}),
});

/** What a Job is made of: an image, or a CronJob that is there. */
export interface JobFlags extends KubeFlags {
  image?: string;
  /** `cronjob/NAME`. */
  from?: string;
}

interface JobWords {
  name: string;
  command: readonly string[];
  flags: JobFlags;
  client: () => KubeClient;
}

/** A Job of one container that is not started again, or one as a CronJob makes them. */
export async function jobOf({ name, command, flags, client }: JobWords): Promise<Job> {
  const { image = '', from = '' } = flags;
  if ((image === '') === (from === '')) throw new CommandError('either --image or --from must be specified');
  if (from !== '' && command.length > 0) throw new CommandError('cannot specify --from and command');
  if (from !== '') return jobOfCronJob(name, await cronJobNamed(client(), from, flags));
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name } },
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [containerOf(name, image, command)] } },
    },
  };
}

async function cronJobNamed(client: KubeClient, from: string, flags: KubeFlags): Promise<CronJob> {
  const { named } = await meantObjects(client, { words: [from], flags });
  const [meant, ...more] = named;
  if (!meant || more.length > 0) throw new CommandError('from must be an existing cronjob');
  const { resource } = meant;
  const object = await client.resource<KubeObject>(resource).get(meant);
  if (resource.group === 'batch' && resource.kind === 'CronJob') return object as CronJob;
  throw new CommandError(`unknown object type *${resource.version}.${resource.kind}`);
}

function jobOfCronJob(name: string, { metadata, spec }: CronJob): Job {
  const { metadata: template, spec: job } = spec.jobTemplate;
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: metadata.name ?? '' };
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job' },
    metadata: {
      name,
      annotations: { 'cronjob.kubernetes.io/instantiate': 'manual', ...template?.annotations },
      ...(template?.labels ? { labels: template.labels } : {}),
      // It blocks nothing: that would need a right on the finalizers of CronJobs.
      ownerReferences: [{ ...owner, uid: metadata.uid ?? '', controller: true }],
    },
    // No CronJob is stored without.
    spec: job as JobSpec,
  };
}

/** What a CronJob runs, and when. */
export interface CronJobFlags {
  image: string;
  schedule: string;
  /** As the server has it; it refuses what does not go. */
  restart: 'OnFailure' | 'Never';
}

/** A CronJob of one container. */
export function cronJobObject(
  name: string,
  command: readonly string[],
  { image, schedule, restart }: CronJobFlags,
): CronJob {
  const spec = { restartPolicy: restart, containers: [containerOf(name, image, command)] };
  return {
    ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name } },
    spec: { schedule, jobTemplate: { metadata: { name }, spec: { template: { spec } } } },
  };
}
