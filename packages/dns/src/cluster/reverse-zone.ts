import { type BlockList, isIPv6 } from 'node:net';
import { blockListOf, decodeAddress } from '@wherry/linux';
import type { Answer } from '../wire/answer.ts';
import { recordTypes, responseCodes } from '../wire/codes.ts';
import { labelsBelow, labelsOf, type Name } from '../wire/name.ts';
import type { ClusterIndex } from './cluster-index.ts';
import { nameRecord, soaRecord } from './cluster-records.ts';

/** What the reverse names of a cluster are made of. */
export interface ReverseZoneOptions {
  index: ClusterIndex;
  domain: Name;
  /** Ranges that nobody else has names for, such as `10.96.0.0/16`. */
  ranges: readonly string[];
  serial(): number;
}

/** Answers what an address is called. */
export class ReverseZone {
  readonly #options: ReverseZoneOptions;
  readonly #own: BlockList;

  constructor(options: ReverseZoneOptions) {
    this.#options = options;
    this.#own = blockListOf(options.ranges);
  }

  /** The answer; undefined for names that are no address's, and for addresses that somebody else may know. */
  answer(name: Name, type: number): Answer | undefined {
    const address = reversedAddress(labelsOf(name));
    if (!address) return undefined;
    const { ip, zone } = address;
    const names = this.#namesOf(ip);
    if (names.length === 0 && !this.#own.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')) return undefined;
    const answers =
      type === recordTypes.PTR ? names.map((each) => nameRecord(name, recordTypes.PTR, each)) : [];
    return {
      code: names.length === 0 ? responseCodes.nameError : responseCodes.noError,
      authoritative: true,
      answers,
      authorities: answers.length === 0 ? [soaRecord(zone, this.#options.serial())] : [],
      additionals: [],
    };
  }

  /** The service of a cluster address; else all endpoints that have it. */
  #namesOf(ip: string): Name[] {
    const { index, domain } = this.#options;
    const service = index.serviceAt(ip);
    if (service !== undefined) return [`${service}.svc.${domain}`];
    const names = Array.from(
      index.endpointsAt(ip),
      (each) => `${each.hostname}.${each.service}.svc.${domain}`,
    );
    return [...new Set(names)];
  }
}

const v4Zone = ['in-addr', 'arpa'];
const v6Zone = ['ip6', 'arpa'];

function reversedAddress(labels: readonly string[]): { ip: string; zone: Name } | undefined {
  const v4 = labelsBelow(labels, v4Zone);
  if (v4) {
    const isWhole = v4.length === 4 && v4.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
    return isWhole ? { ip: v4.toReversed().map(Number).join('.'), zone: v4Zone.join('.') } : undefined;
  }
  const v6 = labelsBelow(labels, v6Zone);
  if (v6?.length !== 32 || !v6.every((digit) => /^[\da-f]$/.test(digit))) return undefined;
  return { ip: decodeAddress(Buffer.from(v6.toReversed().join(''), 'hex')), zone: v6Zone.join('.') };
}
