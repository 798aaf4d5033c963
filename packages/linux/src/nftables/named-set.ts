import { type AttributeList, cString, decodeAttributes, readCString } from '../netlink/attributes.ts';
import type { AddressFamily } from '../netlink/ip-address.ts';
import { uint32 } from './expressions.ts';
import type { SetElement } from './set-elements.ts';

// linux/netfilter/nf_tables.h
const attribute = { table: 1, name: 2, flags: 3, keyType: 4, keyBytes: 5, id: 10 } as const;
const intervalFlag = 4;
/** What nft(8) calls the types, for its lists alone, and their bytes. */
const addressTypes = { ip: { number: 7, bytes: 4 }, ip6: { number: 8, bytes: 16 } } as const;
const keyTypes = {
  protocol: { number: 12, bytes: 1 },
  port: { number: 13, bytes: 2 },
} as const;
const bitsOfType = 6;
const wordBytes = 4;

/** A set that rules look into. */
export interface NamedSet {
  name: string;
  /** The parts of its keys; addresses are of the table's family. */
  key: readonly ('address' | keyof typeof keyTypes)[];
  /** A set of ranges, each an element and one that ends it; a last range may go on to the end. */
  isInterval?: boolean | undefined;
  /** What it holds as long as it is there. */
  elements?: readonly SetElement[] | undefined;
}

/** The attributes of a message that adds a set, the `id`th of its transaction. */
export function newSetAttributes(
  table: { name: string; family: AddressFamily },
  { name, key, isInterval }: NamedSet,
  id: number,
): AttributeList {
  const types = key.map((part) => (part === 'address' ? addressTypes[table.family] : keyTypes[part]));
  const type = types.reduce((sum, { number }) => (sum << bitsOfType) | number, 0);
  const [only] = types;
  const bytes =
    types.length === 1 && only
      ? only.bytes
      : types.reduce((sum, each) => sum + Math.ceil(each.bytes / wordBytes) * wordBytes, 0);
  return [
    [attribute.table, cString(table.name)],
    [attribute.name, cString(name)],
    [attribute.flags, uint32(isInterval ? intervalFlag : 0)],
    [attribute.keyType, uint32(type)],
    [attribute.keyBytes, uint32(bytes)],
    [attribute.id, uint32(id)],
  ];
}

/** The attributes of a message that names a set, or of a request for all of a table. */
export const setNameAttributes = (table: string, name?: string): AttributeList => [
  [attribute.table, cString(table)],
  ...(name === undefined ? [] : [[attribute.name, cString(name)] as const]),
];

/** The table and name in one message of what the kernel tells of sets. */
export function decodeSet(payload: Buffer): { table: string; name: string } {
  const parts = decodeAttributes(payload);
  return { table: readCString(parts.get(attribute.table)), name: readCString(parts.get(attribute.name)) };
}
