import type { Container, PodSpec, Volume } from '@wherry/kubeapi';
import { volumePlugins } from '../../execution/volumes/plugins/index.ts';

/**
 * What of a pod needs objects of an API server: fields and types of volumes, each named once. A static pod runs without
 * one, so it may have none (pkg/api/pod/util.go, HasAPIObjectReference).
 */
export function apiReferences(spec: PodSpec): string[] {
  const containers = [
    ...spec.containers,
    ...(spec.initContainers ?? []),
    ...((spec.ephemeralContainers ?? []) as Container[]),
  ];
  const found = [
    ...(spec.volumes ?? []).flatMap(typesThatNeedIt),
    ...containers.flatMap(variablesThatNeedIt),
    ...(spec.serviceAccountName ? ['serviceAccountName'] : []),
    ...(spec.imagePullSecrets?.some(({ name }) => name) ? ['imagePullSecrets'] : []),
    ...(spec.resourceClaims?.length ? ['resourceClaims'] : []),
  ];
  return [...new Set(found)];
}

function typesThatNeedIt(volume: Volume): string[] {
  const present = volumePlugins.filter((plugin) => {
    const source = volume[plugin.name];
    return source && plugin.readsApi(source);
  });
  return present.map(({ name }) => name);
}

function variablesThatNeedIt({ env = [], envFrom = [] }: Container): string[] {
  const isRead = env.some(({ valueFrom }) => valueFrom?.secretKeyRef || valueFrom?.configMapKeyRef);
  return [...(isRead ? ['env'] : []), ...(envFrom.length > 0 ? ['envFrom'] : [])];
}
