/** What usages of the API are in a certificate (RFC 5280 §4.2.1.3, §4.2.1.12); names as in k8s.io/api/certificates/v1. */

/** Bits of the extension KeyUsage, the first one lowest. */
const keyUsages: ReadonlyMap<string, number> = new Map([
  ['signing', 1],
  ['digital signature', 1],
  ['content commitment', 1 << 1],
  ['key encipherment', 1 << 2],
  ['data encipherment', 1 << 3],
  ['key agreement', 1 << 4],
  ['cert sign', 1 << 5],
  ['crl sign', 1 << 6],
  ['encipher only', 1 << 7],
  ['decipher only', 1 << 8],
]);

const extendedUsages: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

/** The two extensions' contents. Throws `RangeError` on a usage that there is not. */
export function keyUsagesOf(usages: readonly string[]): { bits: number; extended: string[] } {
  const unknown = usages.filter((usage) => !keyUsages.has(usage) && !extendedUsages.has(usage));
  if (unknown.length > 0) throw new RangeError(`unrecognized usage values: ${JSON.stringify(unknown)}`);
  const bits = usages.reduce((sum, usage) => sum | (keyUsages.get(usage) ?? 0), 0);
  const extended = new Set(
    usages.map((usage) => extendedUsages.get(usage)).filter((oid) => oid !== undefined),
  );
  return { bits, extended: [...extended] };
}
