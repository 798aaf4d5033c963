import {
  type AddressFamily,
  acceptIt,
  addressWords,
  compare,
  type Expression,
  isIn,
  jumpTo,
  load,
} from '@wherry/linux';
import type { Protocol } from '../objects/pod-facts.ts';
import type { Direction } from './names.ts';

/** Numbers of protocols in packets. */
export const protocolNumbers: Readonly<Record<Protocol, number>> = { TCP: 6, UDP: 17, SCTP: 132 };

/** One rule of a policy's chain: all that it says must hold. */
export interface ChainRule {
  /** The set that the other end's address is in. */
  peer?: string | undefined;
  /** Sets that address, protocol and port of the receiver are in. */
  receivers?: readonly string[] | undefined;
  protocol?: Protocol | undefined;
  first?: number | undefined;
  last?: number | undefined;
  /** The chain that decides; undefined where all is decided, and the connection allowed. */
  jump?: string | undefined;
}

const portBytes = (port: number) => Buffer.from([port >> 8, port & 0xff]);

/** The rule as the kernel takes it. */
export function stepsOf(family: AddressFamily, direction: Direction, rule: ChainRule): Expression[] {
  const { peer, receivers = [], protocol, first, last, jump } = rule;
  const destination = load.destinationAddress(family);
  const other = direction === 'ingress' ? load.sourceAddress(family) : destination;
  const behind = addressWords[family];
  return [
    ...(peer === undefined ? [] : [other(0), isIn(peer, 0)]),
    ...receivers.flatMap((set) => [
      destination(0),
      load.protocol(behind),
      load.destinationPort(behind + 1),
      isIn(set, 0),
    ]),
    ...(protocol === undefined
      ? []
      : [load.protocol(0), compare(0, 'equals', Buffer.from([protocolNumbers[protocol]]))]),
    ...(first === undefined || last === undefined ? [] : portSteps(first, last)),
    jump === undefined ? acceptIt : jumpTo(jump),
  ];
}

function portSteps(first: number, last: number): Expression[] {
  if (first === last) return [load.destinationPort(0), compare(0, 'equals', portBytes(first))];
  return [
    load.destinationPort(0),
    compare(0, 'atLeast', portBytes(first)),
    compare(0, 'atMost', portBytes(last)),
  ];
}
