import type { ServiceCIDR } from '@wherry/kubeapi';
import type { ObjectCache } from '../../objects/object-cache.ts';
import { type Ipv4Range, isUsable, parseRange, readRange } from './address-range.ts';

/** The ServiceCIDR of the server's flag. */
export const defaultRangeName = 'kubernetes';

/**
 * Where cluster IPs are taken from: the IPv4 ranges of ServiceCIDRs that are ready and stay, the flag's first. Of the
 * flag alone as long as there is no ServiceCIDR for it.
 */
export class ServiceRanges {
  readonly #cidrs: ObjectCache<ServiceCIDR>;
  readonly #flag: Ipv4Range;
  #generation = -1;
  #ranges: readonly Ipv4Range[] = [];

  /** Throws on a flag that is no range. */
  constructor(cidrs: ObjectCache<ServiceCIDR>, flag: string) {
    this.#cidrs = cidrs;
    this.#flag = parseRange(flag);
  }

  get ranges(): readonly Ipv4Range[] {
    if (this.#generation === this.#cidrs.generation) return this.#ranges;
    const ready = [...this.#cidrs.values()].filter(isOpen).sort(byName);
    const texts = ready.flatMap(({ spec }) => spec?.cidrs ?? []);
    const ranges = texts.map(readRange).filter((range) => range !== undefined);
    const hasDefault = this.#cidrs.get(defaultRangeName) !== undefined;
    this.#ranges = hasDefault ? ranges : [this.#flag, ...ranges];
    this.#generation = this.#cidrs.generation;
    return this.#ranges;
  }

  /** True for an address that a service may have. */
  includes(address: string): boolean {
    return this.ranges.some((range) => isUsable(range, address));
  }

  /** All ranges as they were written. */
  get text(): string {
    return this.ranges.map(({ text }) => text).join(', ') || 'empty';
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
