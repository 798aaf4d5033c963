/** Types of records that are made or looked at here (IANA's registry of DNS parameters). */
export const recordTypes = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  RT: 21,
  AAAA: 28,
  SRV: 33,
  KX: 36,
  DNAME: 39,
  OPT: 41,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
} as const;

/** Codes of answers (RFC 1035 §4.1.1, RFC 6891 §9). */
export const responseCodes = {
  noError: 0,
  formatError: 1,
  serverFailure: 2,
  nameError: 3,
  notImplemented: 4,
  refused: 5,
  badVersion: 16,
} as const;

/** Bits of the second word of a header (RFC 1035 §4.1.1, RFC 4035 §3). */
export const headerFlags = {
  response: 0x8000,
  authoritative: 0x0400,
  truncated: 0x0200,
  recursionDesired: 0x0100,
  recursionAvailable: 0x0080,
  authentic: 0x0020,
  checkingDisabled: 0x0010,
} as const;

export const internetClass = 1;
export const headerBytes = 12;

const typeNames = new Map<number, string>(Object.entries(recordTypes).map(([name, code]) => [code, name]));

/** The type as metrics name it; types of no name here are `other`, as CoreDNS counts them. */
export function typeName(type: number): string {
  return typeNames.get(type) ?? 'other';
}
