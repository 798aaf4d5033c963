import { parseCidr } from '@wherry/kubeapi';
import { type AddressFamily, addressBits } from '@wherry/linux';

/** Addresses as numbers, both ends inside. */
export interface AddressRange {
  first: bigint;
  last: bigint;
}

const familyNumbers = { ip: 4, ip6: 6 } as const;

/** The addresses of `10.0.0.0/8`; undefined for what is no range of that family. */
export function rangeOf(cidr: string, family: AddressFamily): AddressRange | undefined {
  const parsed = parseCidr(cidr);
  if (parsed?.family !== familyNumbers[family]) return undefined;
  const hostBits = BigInt(addressBits[family] - parsed.prefixBits);
  const first = (parsed.address >> hostBits) << hostBits;
  return { first, last: first + (1n << hostBits) - 1n };
}

/** Whether it has every address of the family. */
export const isEverything = ({ first, last }: AddressRange, family: AddressFamily): boolean =>
  last - first + 1n === 1n << BigInt(addressBits[family]);
