import { isIPv6 } from 'node:net';
import {
  type DiscoveryV1EndpointPort,
  matcherFromMap,
  type Pod,
  type Service,
  type ServicePort,
} from '@wherry/kubeapi/objects';
import { isFinished, isSidecar } from '@wherry/podrules';

/** Which pods a service sends its clients to; none when it has no selector, or only a name elsewhere. */
export function selectsPods({ spec }: Service): boolean {
  return spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;
}

/** The pods of a service's selector that have an address and have not ended. */
export function podsOf(service: Service, pods: Iterable<Pod>): Pod[] {
  const matcher = matcherFromMap(service.spec?.selector ?? {});
  return [...pods].filter(
    (pod) =>
      pod.metadata.namespace === service.metadata.namespace &&
      matcher.matches(pod.metadata.labels) &&
      !isFinished(pod) &&
      addressesOf(pod).length > 0,
  );
}

/** The addresses of a pod. */
export function addressesOf({ status }: Pod): string[] {
  const all = status?.podIPs?.map(({ ip }) => ip ?? '') ?? [];
  return (all.length > 0 ? all : [status?.podIP ?? '']).filter((ip) => ip !== '');
}

/** The address families that a service has. */
export function familiesOf({ spec }: Service): ('IPv4' | 'IPv6')[] {
  const named = (spec?.ipFamilies ?? []).filter((family) => family === 'IPv4' || family === 'IPv6');
  if (named.length > 0) return named;
  const address = spec?.clusterIP ?? '';
  if (address === '' || address === 'None') return ['IPv4', 'IPv6'];
  return [isIPv6(address) ? 'IPv6' : 'IPv4'];
}

/** Whether a service has no address of its own. */
export function isHeadless({ spec }: Service): boolean {
  return !spec?.clusterIP || spec.clusterIP === 'None';
}

/** Where a service's ports lead on one pod; those that it has not are left out. */
export function portsOn(service: Service, pod: Pod): DiscoveryV1EndpointPort[] {
  const ports = service.spec?.ports ?? [];
  const named = ports.some(({ targetPort }) => typeof targetPort === 'string')
    ? namedPortsOf(pod)
    : undefined;
  return ports.flatMap((port) => {
    const number = portOn(named, port);
    if (number === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [{ name, port: number, protocol, ...(appProtocol ? { appProtocol } : {}) }];
  });
}

function portOn(
  named: ReadonlyMap<string, number> | undefined,
  { targetPort, port, protocol = 'TCP' }: ServicePort,
): number | undefined {
  return typeof targetPort === 'string' ? named?.get(`${protocol} ${targetPort}`) : targetPort || port;
}

/** A pod's ports by protocol and name, of several the first. */
function namedPortsOf({ spec }: Pod): Map<string, number> {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? []).filter(isSidecar)];
  const named = new Map<string, number>();
  for (const { ports = [] } of containers)
    for (const { name, protocol = 'TCP', containerPort } of ports) {
      const key = `${protocol} ${name}`;
      if (name && !named.has(key)) named.set(key, containerPort);
    }
  return named;
}

/** The host name under which a pod is found within a service, if it has one there. */
export function hostnameIn(service: Service, { spec }: Pod): string | undefined {
  return spec?.hostname && spec.subdomain === service.metadata.name ? spec.hostname : undefined;
}
