import { type AttributeList, encodeAttributes } from './attributes.ts';
import { addressFamily, encodeAddress } from './ip-address.ts';

// linux/neighbour.h
const attribute = { destination: 1, hardwareAddress: 2 } as const;
const state = { neverAsked: 0x40, permanent: 0x80 } as const;
const bridgeFamily = 7;
const ofMaster = 4;

const hardwareBytes = (text: string) => Buffer.from(text.replaceAll(':', ''), 'hex');

interface NeighbourHeader {
  family: number;
  interfaceIndex: number;
  state: number;
  flags?: number;
}

function neighbourMessage(header: NeighbourHeader, attributes: AttributeList): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt8(header.family, 0);
  bytes.writeInt32LE(header.interfaceIndex, 4);
  bytes.writeUInt16LE(header.state, 8);
  bytes.writeUInt8(header.flags ?? 0, 10);
  return Buffer.concat([bytes, encodeAttributes(attributes)]);
}

/** Who has an address behind an interface, for good: nobody is asked, and what others say changes nothing. */
export function permanentNeighbour(interfaceIndex: number, address: string, hardwareAddress = ''): Buffer {
  const attributes: AttributeList = [
    [attribute.destination, encodeAddress(address)],
    ...(hardwareAddress === ''
      ? []
      : ([[attribute.hardwareAddress, hardwareBytes(hardwareAddress)]] as const)),
  ];
  const family = addressFamily(address);
  return neighbourMessage({ family, interfaceIndex, state: state.permanent }, attributes);
}

/** Which port of its bridge leads to a hardware address, for as long as the port is there. */
export function staticPort(interfaceIndex: number, hardwareAddress: string): Buffer {
  return neighbourMessage(
    { family: bridgeFamily, interfaceIndex, state: state.neverAsked, flags: ofMaster },
    [[attribute.hardwareAddress, hardwareBytes(hardwareAddress)]],
  );
}
