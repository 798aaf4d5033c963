import { type AttributeList, cString, encodeAttributes, uint32 } from './attributes.ts';

/** Bounds on what an interface sends. */
export interface RateLimit {
  bytesPerSecond: number;
  /** What may leave at once after a silence. */
  burstBytes: number;
  /** What may wait; past it packets are dropped. */
  queueBytes: number;
}

/** Places in an interface's traffic control (linux/pkt_sched.h, TC_H_*). */
export const place = { root: 0xffff_ffff, ingress: 0xffff_fff1 } as const;

/** Names of disciplines: of one that sends, and the one of what is received. */
export const handle = { root: 0x1_0000, ingress: 0xffff_0000 } as const;

const attribute = { kind: 1, options: 2 } as const;
const tokenBucket = { parameters: 1, rate64: 4, burst: 6 } as const;
const selector = { classId: 1, keys: 5, actions: 7 } as const;
const action = { first: 1, kind: 1, options: 2, redirectParameters: 2 } as const;

/** TC_LINKLAYER_ETHERNET: the kernel reckons by itself, and wants no table of rates. */
const ethernet = 1;
const firstClass = 0x1_0001;
const everyProtocol = 0x0300;
const firstPriority = 0x1_0000;
const stolen = 4;
const redirect = 1;
const uint32Max = 0xffff_ffff;

/** Header and attributes of a message of traffic control (struct tcmsg). */
function trafficMessage(
  where: { index: number; handle: number; parent: number; info?: number },
  attributes: AttributeList,
): Buffer {
  const header = Buffer.alloc(20);
  header.writeInt32LE(where.index, 4);
  header.writeUInt32LE(where.handle, 8);
  header.writeUInt32LE(where.parent, 12);
  header.writeUInt32LE(where.info ?? 0, 16);
  return Buffer.concat([header, encodeAttributes(attributes)]);
}

const bounded = (value: number) => uint32(Math.min(Math.ceil(value), uint32Max));

/** A token bucket (tbf) for what the interface sends. */
export function rateMessage(index: number, { bytesPerSecond, burstBytes, queueBytes }: RateLimit): Buffer {
  const rate64 = Buffer.alloc(8);
  rate64.writeBigUInt64LE(BigInt(Math.ceil(bytesPerSecond)));
  // struct tc_tbf_qopt: two rates of 12 bytes, then what may wait, and two sizes that stand in attributes.
  const parameters = Buffer.alloc(36);
  parameters.writeUInt8(ethernet, 1);
  bounded(bytesPerSecond).copy(parameters, 8);
  bounded(queueBytes).copy(parameters, 24);
  return trafficMessage({ index, handle: handle.root, parent: place.root }, [
    [attribute.kind, cString('tbf')],
    [
      attribute.options,
      [
        [tokenBucket.parameters, parameters],
        [tokenBucket.rate64, rate64],
        [tokenBucket.burst, bounded(burstBytes)],
      ],
    ],
  ]);
}

/** The place that rules for received packets hang on. */
export const ingressMessage = (index: number): Buffer =>
  trafficMessage({ index, handle: handle.ingress, parent: place.ingress }, [
    [attribute.kind, cString('ingress')],
  ]);

/** A rule (u32) that sends every packet which the interface receives through another one. */
export function divertMessage(index: number, toIndex: number): Buffer {
  // struct tc_u32_sel: an end (1), one key, which any packet fits.
  const any = Buffer.alloc(32);
  any.writeUInt8(1, 0);
  any.writeUInt8(1, 2);
  // struct tc_mirred.
  const mirrored = Buffer.alloc(28);
  mirrored.writeInt32LE(stolen, 8);
  mirrored.writeInt32LE(redirect, 20);
  mirrored.writeUInt32LE(toIndex, 24);
  const redirected: AttributeList = [
    [action.kind, cString('mirred')],
    [action.options, [[action.redirectParameters, mirrored]]],
  ];
  const info = firstPriority | everyProtocol;
  return trafficMessage({ index, handle: 0, parent: handle.ingress, info }, [
    [attribute.kind, cString('u32')],
    [
      attribute.options,
      [
        [selector.classId, uint32(firstClass)],
        [selector.keys, any],
        [selector.actions, [[action.first, redirected]]],
      ],
    ],
  ]);
}
