import { isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { addressClass } from '@wherry/kubeapi';
import { type AddressRange, firstAddress, parseRanges } from '../admission/services/address-range.ts';
import { ensure, type FindCollection } from './ensure.ts';

/** Where the server is found. */
export interface KubernetesServiceOptions {
  collection: FindCollection;
  serviceRange: string;
  bindAddress: string;
  advertiseAddress: string | undefined;
  securePort: number;
}

/** The service `kubernetes` in `default`; its endpoints are the servers' addresses. */
export async function ensureKubernetesService(options: KubernetesServiceOptions): Promise<void> {
  const { collection, serviceRange, securePort } = options;
  const port = { name: 'https', port: 443, protocol: 'TCP', targetPort: securePort };
  const [range] = parseRanges(serviceRange) as [AddressRange];
  const clusterIP = firstAddress(range);
  await ensure(collection('', 'v1', 'services'), {
    metadata: kubernetesMetadata(),
    spec: { type: 'ClusterIP', clusterIP, ports: [port], sessionAffinity: 'None' },
  });
}

/** Of the service and of its endpoints. */
export const kubernetesMetadata = () => ({
  name: 'kubernetes',
  namespace: 'default',
  labels: { component: 'apiserver', provider: 'kubernetes' },
});

/**
 * The address that pods and nodes are told; undefined where it is only this machine's own: endpoints may not name a
 * loopback, and whoever only advertises that has no pods that could use it.
 */
export function advertisedAddress(options: KubernetesServiceOptions): string | undefined {
  const [range] = parseRanges(options.serviceRange) as [AddressRange];
  const address = ownAddress(options, range.family);
  return address !== undefined && addressClass(address) === 'global' ? address : undefined;
}

function ownAddress(
  { advertiseAddress, bindAddress }: KubernetesServiceOptions,
  family: AddressRange['family'],
): string | undefined {
  if (advertiseAddress) return advertiseAddress;
  const isReachable = isIP(bindAddress) !== 0 && !/^(0\.0\.0\.0|::1?|127\..*)$/.test(bindAddress);
  if (isReachable) return bindAddress;
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const isOutward = (each: NetworkInterfaceInfo) => !each.internal && addressClass(each.address) === 'global';
  return addresses.find((each) => each.family === family && isOutward(each))?.address;
}
