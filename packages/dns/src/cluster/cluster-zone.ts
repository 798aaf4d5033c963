import { limits } from '../limits.ts';
import { type Answer, bareAnswer } from '../wire/answer.ts';
import { recordTypes, responseCodes } from '../wire/codes.ts';
import { labelsBelow, labelsOf, type Name } from '../wire/name.ts';
import type { ResourceRecord } from '../wire/record.ts';
import type { ClusterIndex } from './cluster-index.ts';
import { type FoundName, lookUp } from './cluster-name.ts';
import {
  addressRecord,
  addressRecords,
  nameRecord,
  serverRecords,
  soaRecord,
  versionRecord,
} from './cluster-records.ts';

/** An answer about the cluster; where it ends in a name of somebody else, that is what is still to be asked. */
export interface ZoneAnswer extends Answer {
  continuesAt?: Name;
}

/** What the zone of a cluster is made of. */
export interface ClusterZoneOptions {
  index: ClusterIndex;
  /** `cluster.local`, in lower case. */
  domain: Name;
  /** The address that clients ask, for the zone's own name server. */
  address: Uint8Array;
  /** Seconds since the epoch, at the last change. */
  serial(): number;
}

/** Answers for all names at and below the cluster's domain, of the index alone. */
export class ClusterZone {
  readonly domain: Name;
  readonly #options: ClusterZoneOptions;
  readonly #labels: readonly string[];
  #turn = 0;

  constructor(options: ClusterZoneOptions) {
    this.#options = options;
    this.domain = options.domain;
    this.#labels = labelsOf(options.domain);
  }

  /** The answer; undefined for names of somebody else. */
  answer(name: Name, type: number): ZoneAnswer | undefined {
    const labels = labelsBelow(labelsOf(name), this.#labels);
    if (!labels) return undefined;
    if (type === recordTypes.AXFR || type === recordTypes.IXFR) return bareAnswer(responseCodes.refused);
    return this.#own(name, labels, type) ?? this.#follow(name, labels, type);
  }

  /** Names that the zone itself has, whatever the cluster has. */
  #own(name: Name, labels: readonly string[], type: number): Answer | undefined {
    const { address, domain, serial } = this.#options;
    const below = labels.join('.');
    const nameServer = `ns.dns.${domain}`;
    if (below === 'dns-version') return this.#whole(type === recordTypes.TXT ? [versionRecord(name)] : []);
    if (below === 'ns.dns') {
      const record = addressRecord(name, address);
      return this.#whole(record.type === type ? [record] : []);
    }
    if (below !== '') return undefined;
    if (type === recordTypes.SOA) return this.#whole([soaRecord(name, serial())]);
    if (type !== recordTypes.NS) return undefined;
    return this.#whole([nameRecord(name, recordTypes.NS, nameServer)], [addressRecord(nameServer, address)]);
  }

  /** Follows aliases as far as they stay in the zone. */
  #follow(asked: Name, askedLabels: readonly string[], type: number): ZoneAnswer {
    const aliases: ResourceRecord[] = [];
    let name = asked;
    let labels: readonly string[] | undefined = askedLabels;
    while (aliases.length <= limits.aliasesMax) {
      const there: FoundName | undefined = lookUp(this.#options.index, labels);
      if (!there) return { ...this.#whole([]), code: responseCodes.nameError, answers: aliases };
      const { found, service } = there;
      if (!('alias' in found)) {
        const records = this.#recordsOf(name, type, { found, service });
        return this.#whole(
          [...aliases, ...records.answers],
          records.additionals,
          records.answers.length === 0,
        );
      }
      aliases.push(nameRecord(name, recordTypes.CNAME, found.alias));
      if (type === recordTypes.CNAME || type === recordTypes.ANY) return this.#whole(aliases);
      name = found.alias;
      labels = labelsBelow(labelsOf(name), this.#labels);
      if (!labels) return { ...this.#whole(aliases), continuesAt: name };
    }
    // A circle of aliases has no end to tell of.
    return bareAnswer(responseCodes.serverFailure);
  }

  #recordsOf(name: Name, type: number, { found, service }: FoundName) {
    const targets = 'targets' in found ? found.targets : [];
    if (type === recordTypes.SRV) return serverRecords(name, `${service}.${this.domain}`, targets);
    if (type !== recordTypes.A && type !== recordTypes.AAAA) return { answers: [], additionals: [] };
    return { answers: this.#turned(addressRecords(name, targets, type)), additionals: [] };
  }

  /** Begins with another address each time, since most clients take the first (CoreDNS' `loadbalance`). */
  #turned(records: readonly ResourceRecord[]): readonly ResourceRecord[] {
    if (records.length < 2) return records;
    this.#turn = (this.#turn + 1) % records.length;
    return [...records.slice(this.#turn), ...records.slice(0, this.#turn)];
  }

  /** Where nothing of what was asked for is there, how long that may be remembered stands beside it. */
  #whole(
    answers: readonly ResourceRecord[],
    additionals: readonly ResourceRecord[] = [],
    isEmpty = answers.length === 0,
  ): Answer {
    const authorities = isEmpty ? [soaRecord(this.domain, this.#options.serial())] : [];
    return { code: responseCodes.noError, authoritative: true, answers, authorities, additionals };
  }
}
