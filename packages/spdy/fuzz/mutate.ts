import {
  encodeData,
  encodeGoAway,
  encodePing,
  encodeRstStream,
  HeaderFrameEncoder,
} from '../src/frames/encode.ts';
import { frameHeaderBytes } from '../src/frames/frame.ts';
import { defaultLimits } from '../src/limits.ts';

/** Random numbers that a seed repeats (mulberry32). */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

/** A conversation of `count` frames as a client could hold it. */
function conversation(random: Random, count: number): Buffer[] {
  const encoder = new HeaderFrameEncoder(defaultLimits);
  let nextId = 1;
  const someId = () => 1 + 2 * random(Math.max(1, nextId));
  const kinds: (() => Buffer)[] = [
    () => {
      const streamId = nextId;
      nextId += 2;
      return encoder.synStream({
        streamId,
        headers: { streamType: 'data', port: String(random(65_536)) },
        fin: false,
      });
    },
    () => encoder.synReply({ streamId: someId(), headers: {}, fin: random(2) === 0 }),
    () => encodeData(someId(), Buffer.alloc(random(200), random(256)), random(4) === 0),
    () => encodeRstStream(someId(), 1 + random(11)),
    () => encodePing(1 + random(1000)),
    () => encodeGoAway(0, 0),
    () => Buffer.from('80030004000000140000000200000004000000640000000700010000', 'hex'),
    () => Buffer.from('8003000900000008000000017fffffff', 'hex'),
  ];
  // GOAWAY ends a conversation, so it is kept rare.
  const weights = [0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 3, 4, 4, 6, 7];
  return Array.from({ length: count }, () => {
    const kind = random(64) === 0 ? 5 : weights[random(weights.length)]!;
    return kinds[kind]!();
  });
}

/** Damages a frame: flipped bits, other lengths and types, cut, doubled or made of noise. */
function damage(frame: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(frame);
  if (bytes.length < frameHeaderBytes) return bytes; // was cut by an earlier damage
  switch (random(7)) {
    case 0:
      bytes[random(bytes.length)]! ^= 1 << random(8);
      return bytes;
    case 1:
      bytes.writeUIntBE(random(0x100_0000), 5, 3);
      return bytes;
    case 2:
      bytes[3] = random(16);
      return bytes;
    case 3:
      return bytes.subarray(0, random(bytes.length));
    case 4:
      return Buffer.concat([bytes, bytes]);
    case 5:
      for (let at = 8 + random(8); at < bytes.length; at++) bytes[at] = random(256);
      return bytes;
    default:
      bytes.writeUInt32BE(random(0xffff_ffff), Math.min(8, bytes.length - 4));
      return bytes;
  }
}

/** One conversation with one or two damaged frames in it. */
export function damagedConversation(seed: number, frames: number): Buffer[] {
  const random = seededRandom(seed);
  const parts = conversation(random, frames);
  for (let count = 1 + random(2); count > 0; count--) {
    const index = random(parts.length);
    parts[index] = damage(parts[index]!, random);
  }
  return parts;
}
