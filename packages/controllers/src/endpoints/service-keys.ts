import { isDeepStrictEqual } from 'node:util';
import { keyOf } from '@wherry/client';
import { matcherFromMap, type Pod, type Service } from '@wherry/kubeapi/objects';
import { selectsPods } from './service-pods.ts';

/** The keys of the services that a change of a pod concerns: those that select it, or did; none when nothing of it changed. */
export function servicesOf(
  services: ReadonlyMap<string, Service>,
  pod: Pod,
  previous: Pod | undefined,
): string[] {
  if (previous && isDeepStrictEqual(concerns(pod), concerns(previous))) return [];
  const selects = (service: Service, each: Pod) =>
    matcherFromMap(service.spec?.selector ?? {}).matches(each.metadata.labels);
  const isTold = (service: Service) =>
    service.metadata.namespace === pod.metadata.namespace &&
    selectsPods(service) &&
    (selects(service, pod) || (previous !== undefined && selects(service, previous)));
  return [...services.values()].filter(isTold).map(keyOf);
}

/** What of a pod concerns the services that it belongs to. */
function concerns({ metadata, status, spec }: Pod): unknown {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  const isGoing = metadata.deletionTimestamp !== undefined;
  return [metadata.labels, status?.phase, status?.podIPs, ready, isGoing, spec?.nodeName];
}
