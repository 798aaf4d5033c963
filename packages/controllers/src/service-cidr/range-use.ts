import { BlockList, isIP } from 'node:net';
import type { IPAddress, ServiceCIDR } from '@wherry/kubeapi/objects';

const managerLabel = 'ipaddress.kubernetes.io/managed-by';
const manager = 'ipallocator.k8s.io';

/** True as long as the address of a service lies in this range and in no other. */
export function isNeeded(
  range: ServiceCIDR,
  ranges: readonly ServiceCIDR[],
  addresses: Iterable<Pick<IPAddress, 'metadata'>>,
): boolean {
  const others = ranges.filter(({ metadata }) => metadata?.name !== range.metadata?.name);
  const [own, rest] = [blocksOf([range]), blocksOf(others)];
  for (const { metadata } of addresses) {
    const { name = '', labels } = metadata ?? {};
    if (labels?.[managerLabel] !== manager) continue;
    const family = isIP(name) === 6 ? 'ipv6' : 'ipv4';
    if (own.check(name, family) && !rest.check(name, family)) return true;
  }
  return false;
}

function blocksOf(ranges: readonly ServiceCIDR[]): BlockList {
  const blocks = new BlockList();
  for (const { spec } of ranges) {
    for (const cidr of spec?.cidrs ?? []) {
      const [address = '', bits = ''] = cidr.split('/');
      const family = isIP(address);
      if (family !== 0) blocks.addSubnet(address, Number(bits), family === 6 ? 'ipv6' : 'ipv4');
    }
  }
  return blocks;
}
