import type { KubeObject } from '@wherry/client';
import { type CronJob, type Deployment, type Pod, type PodSpec, parseApiVersion } from '@wherry/kubeapi';

/** Groups and kinds whose objects hold a template of pods. */
const templated = new Set([
  '/ReplicationController',
  ...['apps/Deployment', 'apps/DaemonSet', 'apps/ReplicaSet', 'apps/StatefulSet'],
  'batch/Job',
]);

const groupKind = ({ apiVersion = '', kind }: KubeObject): string =>
  `${parseApiVersion(apiVersion)?.group ?? ''}/${kind}`;

/** What an object says of a pod: of itself, or of those that are made of it. Undefined for what is about no pods. */
export function podSpecOf(object: KubeObject): PodSpec | undefined {
  const name = groupKind(object);
  if (name === '/Pod') return (object as Pod).spec;
  if (name === 'batch/CronJob') return (object as CronJob).spec?.jobTemplate.spec?.template.spec;
  return templated.has(name) ? (object as Deployment).spec?.template.spec : undefined;
}

/** A patch of an object by one of its {@link podSpecOf}. */
export function podSpecPatch(object: KubeObject, spec: object): object {
  const name = groupKind(object);
  if (name === '/Pod') return { spec };
  const template = { spec: { template: { spec } } };
  return name === 'batch/CronJob' ? { spec: { jobTemplate: template } } : template;
}
