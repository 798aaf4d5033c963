import { isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { addressClass } from '@wherry/kubeapi';
import { type AddressRange, firstAddress, parseRanges } from '../admission/services/address-range.ts';
import { ensure, type FindCollection } from './bootstrap.ts';

/** Where the server is found. */
export interface KubernetesServiceOptions {
  collection: FindCollection;
  serviceRange: string;
  bindAddress: string;
  advertiseAddress: string | undefined;
  securePort: number;
}

/** `kubernetes` in `default`, with this server as its only endpoint. */
export async function ensureKubernetesService(options: KubernetesServiceOptions): Promise<void> {
  const { collection, serviceRange, securePort } = options;
  const metadata = () => ({
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  });
  const port = { name: 'https', port: 443, protocol: 'TCP', targetPort: securePort };
  const [range] = parseRanges(serviceRange) as [AddressRange];
  const clusterIP = firstAddress(range);
  await ensure(collection('', 'v1', 'services'), {
    metadata: metadata(),
    spec: { type: 'ClusterIP', clusterIP, ports: [port], sessionAffinity: 'None' },
  });
  const address = advertisedAddress(options, range.family);
  // Endpoints may not name this machine's own loopback; whoever only advertises that has no pods that could use it.
  if (address === undefined || addressClass(address) !== 'global') return;
  const subsets = [
    { addresses: [{ ip: address }], ports: [{ name: 'https', port: securePort, protocol: 'TCP' }] },
  ];
  const endpoints = collection('', 'v1', 'endpoints');
  await ensure(endpoints, { metadata: metadata(), subsets });
  await endpoints.storage.change({
    namespace: 'default',
    name: 'kubernetes',
    change: (current) => ({ next: { ...current, subsets } }),
  });
}

function advertisedAddress(
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
