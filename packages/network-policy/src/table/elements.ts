import { type AddressFamily, addressBits, keyPart, type NamedSet, type SetElement } from '@wherry/linux';
import type { AddressRange } from '../objects/address-ranges.ts';
import type { NamedPort } from '../objects/pod-facts.ts';
import type { Selection } from '../objects/selection.ts';
import { namedPortSet, rangesSet, selectionSet } from './names.ts';
import { protocolNumbers } from './rule-steps.ts';

const hexBits = 4;

function addressKey(family: AddressFamily, address: bigint): Buffer {
  return Buffer.from(address.toString(16).padStart(addressBits[family] / hexBits, '0'), 'hex');
}

/** The set of these ranges, in order and apart, with all of them in it. */
export function setOfRanges(family: AddressFamily, ranges: readonly AddressRange[]): NamedSet {
  const name = rangesSet(ranges);
  const end = 1n << BigInt(addressBits[family]);
  const elements = ranges.flatMap(({ first, last }): SetElement[] => [
    { set: name, key: addressKey(family, first) },
    ...(last + 1n < end ? [{ set: name, key: addressKey(family, last + 1n), isEnd: true }] : []),
  ]);
  return { name, key: ['address'], isInterval: true, elements };
}

/** The set of a selection's pods, whose addresses come and go. */
export const setOfSelection = (selection: Selection): NamedSet => ({
  name: selectionSet(selection),
  key: ['address'],
});

/** The set of the ports of one name. */
export const setOfNamedPort = (port: Pick<NamedPort, 'name' | 'protocol'>): NamedSet => ({
  name: namedPortSet(port),
  key: ['address', 'protocol', 'port'],
});

/** A pod's port in the set of its name. */
export const namedPortElement = (address: string, port: NamedPort): SetElement => ({
  set: namedPortSet(port),
  key: Buffer.concat([
    keyPart.address(address),
    keyPart.number(protocolNumbers[port.protocol]),
    keyPart.port(port.port),
  ]),
});
