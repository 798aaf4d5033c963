import { isIPv6 } from 'node:net';
import {
  type EndpointAddress,
  type EndpointSubset,
  type Endpoints,
  ownValue,
  type Pod,
  type Service,
} from '@wherry/kubeapi/objects';
import { isPodReady } from '@wherry/podrules';
import { limits } from '../limits.ts';
import { addressesOf, familiesOf, hostnameIn, isHeadless, portsOn } from './service-pods.ts';
import { headlessLabel } from './slice-plan.ts';

const managedByLabel = 'endpoints.kubernetes.io/managed-by';
const manager = 'endpoint-controller';
const overCapacity = 'endpoints.kubernetes.io/over-capacity';

/** Whether Endpoints are this controller's, and not written by hand. */
export function areOurs({ metadata }: Endpoints): boolean {
  return ownValue(metadata.labels, managedByLabel) === manager;
}

/** The Endpoints of a service, which older clients read (upstream: endpoints_controller.go). */
export function endpointsOf(service: Service, pods: readonly Pod[], known: Endpoints | undefined): Endpoints {
  const { name = '', namespace = '', labels: own = {} } = service.metadata;
  const { subsets, isCut } = subsetsOf(service, pods);
  const { [headlessLabel]: _headless, ...labels } = own;
  const { [overCapacity]: _cut, ...annotations } = known?.metadata.annotations ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...known?.metadata,
      ...{ name, namespace },
      labels: {
        ...labels,
        ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
        [managedByLabel]: manager,
      },
      ...(isCut || Object.keys(annotations).length > 0
        ? { annotations: { ...annotations, ...(isCut ? { [overCapacity]: 'truncated' } : {}) } }
        : {}),
    },
    ...(subsets.length > 0 ? { subsets } : {}),
  };
}

function subsetsOf(service: Service, pods: readonly Pod[]): { subsets: EndpointSubset[]; isCut: boolean } {
  const isV6 = familiesOf(service)[0] === 'IPv6';
  const { publishNotReadyAddresses: all = false } = service.spec ?? {};
  const groups = new Map<string, Required<EndpointSubset>>();
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp && !all) continue;
    const ip = addressesOf(pod).find((each) => isIPv6(each) === isV6);
    const ports = portsOn(service, pod).map(({ name, ...rest }) => ({
      ...(name ? { name } : {}),
      ...rest,
      port: rest.port!,
    }));
    const isPortless = ports.length === 0 && !(isHeadless(service) && !service.spec?.ports?.length);
    if (ip === undefined || isPortless) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { addresses: [], notReadyAddresses: [], ports };
    groups.set(key, group);
    const list = isPodReady(pod) || all ? group.addresses : group.notReadyAddresses;
    list.push(addressOf(service, pod, ip));
  }
  const isCut = cutToFit([...groups.values()]);
  const byIp = (a: EndpointAddress, b: EndpointAddress) => a.ip.localeCompare(b.ip);
  const filled = (name: keyof EndpointSubset, list: readonly unknown[]) =>
    list.length > 0 ? { [name]: list } : {};
  const subsets = [...groups.values()].map(({ addresses, notReadyAddresses, ports }) => ({
    ...filled('addresses', addresses.sort(byIp)),
    ...filled('notReadyAddresses', notReadyAddresses.sort(byIp)),
    ...filled('ports', ports),
  }));
  return { subsets, isCut };
}

/**
 * Leaves out what is too much: of those that do not serve, or where even those that do are too many, of these; of each group
 * its share. Answers whether something was left out (upstream: truncateEndpoints).
 */
function cutToFit(groups: readonly Required<EndpointSubset>[]): boolean {
  const max = limits.endpointsAddressesMax;
  const count = (of: 'addresses' | 'notReadyAddresses') =>
    groups.reduce((sum, group) => sum + group[of].length, 0);
  const [ready, unready] = [count('addresses'), count('notReadyAddresses')];
  if (ready + unready <= max) return false;
  const isReadyCut = ready > max;
  const [share, total] = isReadyCut ? [max, ready] : [max - ready, unready];
  let room = share;
  for (const { addresses, notReadyAddresses } of groups) {
    const list = isReadyCut ? addresses : notReadyAddresses;
    list.splice(Math.min(room, Math.ceil((list.length / total) * share)));
    room -= list.length;
    if (isReadyCut) notReadyAddresses.splice(0);
  }
  return true;
}

function addressOf(service: Service, pod: Pod, ip: string): EndpointAddress {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const hostname = hostnameIn(service, pod);
  return {
    ip,
    ...(hostname ? { hostname } : {}),
    ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}
