import type { ServiceCIDR } from '@wherry/kubeapi';
import type { ObjectCache } from '../../objects/object-cache.ts';
import {
  type AddressRange,
  familyOfAddress,
  type IpFamily,
  isUsable,
  parseRanges,
  readRange,
} from './address-range.ts';

/** The ServiceCIDR of the server's flag. */
export const defaultRangeName = 'kubernetes';

/**
 * Where cluster IPs are taken from: the ranges of ServiceCIDRs that are ready and stay, the flag's first. Of the
 * flag alone as long as there is no ServiceCIDR for it.
 */
export class ServiceRanges {
  /** The families of the flag, which are those that services may have; the first is the one of who names none. */
  readonly families: readonly IpFamily[];
  readonly #cidrs: ObjectCache<ServiceCIDR>;
  readonly #flag: readonly AddressRange[];
  #generation = -1;
  #ranges: readonly AddressRange[] = [];

  /** Throws on a flag that is no range. */
  constructor(cidrs: ObjectCache<ServiceCIDR>, flag: string) {
    this.#cidrs = cidrs;
    this.#flag = parseRanges(flag);
    this.families = this.#flag.map(({ family }) => family);
  }

  /** The ranges of a family, in the order in which they are filled. */
  of(family: IpFamily): readonly AddressRange[] {
    return this.#all().filter((range) => range.family === family);
  }

  /** True for an address that a service may have. */
  includes(address: string): boolean {
    return this.of(familyOfAddress(address)).some((range) => isUsable(range, address));
  }

  #all(): readonly AddressRange[] {
    if (this.#generation === this.#cidrs.generation) return this.#ranges;
    const ready = [...this.#cidrs.values()].filter(isOpen).sort(byName);
    const texts = ready.flatMap(({ spec }) => spec?.cidrs ?? []);
    const ranges = texts.map(readRange).filter((range) => range !== undefined);
    const hasDefault = this.#cidrs.get(defaultRangeName) !== undefined;
    this.#ranges = hasDefault ? ranges : [...this.#flag, ...ranges];
    this.#generation = this.#cidrs.generation;
    return this.#ranges;
  }
}

function isOpen({ metadata, status }: ServiceCIDR): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return !metadata?.deletionTimestamp && ready?.status === 'True';
}

function byName(a: ServiceCIDR, b: ServiceCIDR): number {
  const rank = ({ metadata }: ServiceCIDR) =>
    metadata?.name === defaultRangeName ? '' : (metadata?.name ?? '');
  return rank(a) < rank(b) ? -1 : 1;
}
