import { limits } from '../limits.ts';
import { recordTypes } from '../wire/codes.ts';
import type { Name } from '../wire/name.ts';
import type { ResourceRecord } from '../wire/record.ts';
import type { Target } from './service-entry.ts';

/** Periods of the SOA record for servers that copy zones, which none does, in seconds (CoreDNS: the same). */
const soaTimes = { refresh: 7_200, retry: 1_800, expire: 86_400 };

const ttl = limits.clusterTtlSeconds;

/** The address of `owner`. */
export function addressRecord(owner: Name, bytes: Uint8Array): ResourceRecord {
  return { owner, type: bytes.length === 4 ? recordTypes.A : recordTypes.AAAA, ttl, data: [bytes] };
}

/** One record whose data is a name: CNAME, PTR or NS. */
export function nameRecord(owner: Name, type: number, target: Name): ResourceRecord {
  return { owner, type, ttl, data: [target] };
}

/** Tells who is responsible for the zone, and how long it may be remembered that a name is not there. */
export function soaRecord(zone: Name, serial: number): ResourceRecord {
  const numbers = Buffer.alloc(20);
  const { refresh, retry, expire } = soaTimes;
  for (const [index, value] of [serial, refresh, retry, expire, ttl].entries())
    numbers.writeUInt32BE(value >>> 0, index * 4);
  return { owner: zone, type: recordTypes.SOA, ttl, data: [`ns.dns.${zone}`, `hostmaster.${zone}`, numbers] };
}

/** The record that tells the version of the schema that the names follow. */
export function versionRecord(owner: Name): ResourceRecord {
  const text = Buffer.from(schemaVersion);
  return {
    ...{ owner, type: recordTypes.TXT, ttl: limits.versionTtlSeconds },
    data: [Buffer.from([text.length, ...text])],
  };
}

const schemaVersion = '1.1.0';

/** Each address of one family once. */
export function addressRecords(owner: Name, targets: readonly Target[], type: number): ResourceRecord[] {
  const length = type === recordTypes.A ? 4 : 16;
  const unique = new Map(targets.flatMap((each) => (each.bytes.length === length ? [[each.ip, each]] : [])));
  return [...unique.values()].map(({ bytes }) => addressRecord(owner, bytes));
}

/** Server records: each port of each name once, all of the same weight, and the addresses of the names. */
export function serverRecords(
  owner: Name,
  service: Name,
  targets: readonly Target[],
): { answers: ResourceRecord[]; additionals: ResourceRecord[] } {
  const count = targets.reduce((sum, { ports }) => sum + ports.length, 0);
  const weight = Math.max(1, Math.floor(100 / count));
  const answers = new Map<string, ResourceRecord>();
  const additionals = new Map<string, ResourceRecord>();
  for (const { ip, bytes, hostname, port } of someOf(targets)) {
    const host = hostname ? `${hostname}.${service}` : service;
    const numbers = Buffer.alloc(6);
    numbers.writeUInt16BE(weight, 2);
    numbers.writeUInt16BE(port, 4);
    answers.set(`${port} ${host}`, { owner, type: recordTypes.SRV, ttl, data: [numbers, host] });
    additionals.set(`${ip} ${host}`, addressRecord(host, bytes));
  }
  return { answers: [...answers.values()], additionals: [...additionals.values()] };
}

/** Each target with each of its ports, as many as an answer holds. */
function* someOf(targets: readonly Target[]) {
  let left: number = limits.serverRecordsMax;
  for (const { ports, ...target } of targets) {
    for (const { number: port } of ports) {
      if (port === undefined) continue;
      if (left-- === 0) return;
      yield { ...target, port };
    }
  }
}
