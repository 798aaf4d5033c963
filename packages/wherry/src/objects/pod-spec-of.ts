import type { KubeObject } from '@wherry/client';
import { type CronJob, type Deployment, type Pod, type PodSpec, parseApiVersion } from '@wherry/kubeapi';

/** Groups and kinds whose objects hold a template of pods. */
const templated = new Set([
  '/ReplicationController',
  ...['apps/Deployment', 'apps/DaemonSet', 'apps/ReplicaSet', 'apps/StatefulSet'],
  'batch/Job',
]);

/** What an object says of a pod: of itself, or of those that are made of it. Undefined for what is about no pods. */
export function podSpecOf(object: KubeObject): PodSpec | undefined {
  const { apiVersion = '', kind } = object;
  const name = `${parseApiVersion(apiVersion)?.group ?? ''}/${kind}`;
  if (name === '/Pod') return (object as Pod).spec;
  if (name === 'batch/CronJob') return (object as CronJob).spec?.jobTemplate.spec?.template.spec;
  return templated.has(name) ? (object as Deployment).spec?.template.spec : undefined;
}
