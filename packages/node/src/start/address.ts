import type { NodeRecord } from '../layout/record.ts';
import { isOwnAddress, primaryAddress, primaryAddressV6 } from '../machine/host-network.ts';

/**
 * Gives a node of which nothing runs the machine's address of today, where it has lost its own: another lease, another network, a
 * container that starts again. Its certificates follow.
 */
export function takeAddress(record: NodeRecord): void {
  if (!isOwnAddress(record.nodeIp)) record.nodeIp = primaryAddress();
  if (record.nodeIpV6 !== undefined && !isOwnAddress(record.nodeIpV6)) record.nodeIpV6 = primaryAddressV6();
}
