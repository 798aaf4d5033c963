import { addElements, hasCode, keyPart, removeElements, type SetElement, type Table } from '@wherry/linux';
import { cableSet, identitySet } from './nftables.ts';
import type { PodAddress } from './pod-network.ts';

const prefix = '0a:58';

/**
 * The hardware address that a pod's interface has: it follows from the pod's IPv4 address, so that a cable has one
 * identity which is known before the pod lives, and again after a restart.
 */
export function hardwareAddressOfPod(ip: string): string {
  const digits = ip.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return [prefix, ...digits].join(':');
}

/** The elements that pin a pod's cable, as nft(8) writes them. */
export function identityTexts(addresses: readonly PodAddress[]): { cables: string[]; identities: string[] } {
  return {
    cables: addresses.map(({ hostInterface }) => `"${hostInterface}"`),
    identities: addresses.map(
      ({ hostInterface, ip }) => `"${hostInterface}" . ${hardwareAddressOfPod(ip)} . ${ip}`,
    ),
  };
}

function elementsOf({ hostInterface, ip }: PodAddress): SetElement[] {
  const cable = keyPart.interfaceName(hostInterface);
  const identity = [keyPart.hardwareAddress(hardwareAddressOfPod(ip)), keyPart.address(ip)];
  return [
    { set: cableSet, key: cable },
    { set: identitySet, key: Buffer.concat([cable, ...identity]) },
  ];
}

/**
 * What a pod may say it is: every cable has one hardware and one IPv4 address, and the bridge takes nothing else from
 * it. Else a pod with CAP_NET_RAW, which containers have by default, could answer for its neighbours or the gateway.
 */
export class PortGuard {
  readonly #table: Table;

  constructor(name: string) {
    this.#table = { family: 'bridge', name };
  }

  /** To be called before the cable is plugged in. */
  pin(address: PodAddress): void {
    addElements(this.#table, elementsOf(address));
  }

  /** To be called once the cable is gone: until then it stays pinned. Repeats are fine. */
  unpin(address: PodAddress): void {
    try {
      removeElements(this.#table, elementsOf(address));
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}
