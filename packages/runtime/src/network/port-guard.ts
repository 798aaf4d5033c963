import {
  type AddressFamily,
  addElements,
  encodeAddress,
  familyOf,
  keyPart,
  removeElements,
  type SetElement,
  type Table,
} from '@wherry/linux';
import { ignoring } from '../errors.ts';
import { cableSet, type GuardOptions, identitySets } from './nftables.ts';
import type { PodAddress } from './pod-network.ts';

const prefix = '0a:58';
const numberedBytes = 4;

/**
 * The hardware address that a pod's interface has: it follows from the pod's own address, so that a cable has one
 * identity which is known before the pod lives, and again after a restart.
 */
export function hardwareAddressOfPod({ ip }: Pick<PodAddress, 'ip'>): string {
  const digits = encodeAddress(ip).subarray(-numberedBytes).toString('hex').match(/../g) ?? [];
  return [prefix, ...digits].join(':');
}

/** All addresses of a pod. */
export const addressesOf = ({ ip, additionalIps }: PodAddress): string[] => [ip, ...additionalIps];

/** The elements that pin pods' cables, as nft(8) writes them. */
export function identityTexts(pods: readonly PodAddress[]): Pick<GuardOptions, 'cables' | 'identities'> {
  const texts = (family: AddressFamily) =>
    pods.flatMap((pod) =>
      addressesOf(pod)
        .filter((address) => familyOf(address) === family)
        .map((address) => `"${pod.hostInterface}" . ${hardwareAddressOfPod(pod)} . ${address}`),
    );
  return {
    cables: pods.map(({ hostInterface }) => `"${hostInterface}"`),
    identities: { ip: texts('ip'), ip6: texts('ip6') },
  };
}

function elementsOf(pod: PodAddress): SetElement[] {
  const cable = keyPart.interfaceName(pod.hostInterface);
  const hardwareAddress = keyPart.hardwareAddress(hardwareAddressOfPod(pod));
  return [
    { set: cableSet, key: cable },
    ...addressesOf(pod).map((address) => ({
      set: identitySets[familyOf(address)],
      key: Buffer.concat([cable, hardwareAddress, keyPart.address(address)]),
    })),
  ];
}

/**
 * What a pod may say it is: every cable has one hardware address and one address of each family, and the bridge takes nothing else from
 * it. Else a pod with CAP_NET_RAW, which containers have by default, could answer for its neighbours or the gateway.
 */
export class PortGuard {
  readonly #table: Table;
  /** By the names of their cables. */
  readonly #pinned = new Map<string, PodAddress>();

  constructor(name: string) {
    this.#table = { family: 'bridge', name };
  }

  /** The table is a new one that holds these. */
  takeOver(pods: readonly PodAddress[]): void {
    this.#pinned.clear();
    for (const pod of pods) this.#pinned.set(pod.hostInterface, pod);
  }

  /** The table was made again meanwhile: what it misses is put in. */
  restore(): void {
    for (const pod of this.#pinned.values())
      ignoring('EEXIST', () => addElements(this.#table, elementsOf(pod)));
  }

  /** To be called before the cable is plugged in. */
  pin(pod: PodAddress): void {
    addElements(this.#table, elementsOf(pod));
    this.#pinned.set(pod.hostInterface, pod);
  }

  /** To be called once the cable is gone: until then it stays pinned. Repeats are fine. */
  unpin(pod: PodAddress): void {
    this.#pinned.delete(pod.hostInterface);
    ignoring('ENOENT', () => removeElements(this.#table, elementsOf(pod)));
  }
}
