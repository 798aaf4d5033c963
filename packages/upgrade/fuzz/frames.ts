type Random = (below: number) => number;

/**
 * Sound frames of a client, one after another: messages in one piece or several, now and then the end of the
 * first channel, pings and pongs between them.
 */
class FrameMaker {
  readonly #random: Random;
  #isInMessage = false;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Buffer {
    const random = this.#random;
    if (random(8) === 0) return this.#frame(true, 9 + random(2), Buffer.alloc(random(126), random(256)));
    const isFirst = !this.#isInMessage;
    if (isFirst && random(40) === 0) return this.#frame(true, 2, Buffer.from([255, 0]));
    const isFinal = random(4) > 0;
    this.#isInMessage = !isFinal;
    return this.#frame(isFinal, isFirst ? 2 : 0, isFirst ? this.#payload() : Buffer.alloc(random(100), 120));
  }

  /** A channel, that exists or not, and bytes for it. */
  #payload(): Buffer {
    const random = this.#random;
    const payload = Buffer.alloc(1 + random(random(10) === 0 ? 5_000 : 100), 120);
    payload[0] = random(7);
    return payload;
  }

  #frame(isFinal: boolean, opcode: number, payload: Buffer): Buffer {
    const random = this.#random;
    const isLong = payload.length > 125;
    const length = isLong ? [254, payload.length >> 8, payload.length & 255] : [128 | payload.length];
    const key = [random(256), random(256), random(256), random(256)];
    const masked = payload.map((byte, index) => byte ^ (key[index % 4] ?? 0));
    return Buffer.concat([Buffer.from([(isFinal ? 128 : 0) | opcode, ...length, ...key]), masked]);
  }
}

/** A conversation of `count` frames; about every second one has a byte changed, cut out or doubled somewhere. */
export function damagedFrames(random: Random, count: number): Buffer {
  const maker = new FrameMaker(random);
  let bytes = Buffer.concat(Array.from({ length: count }, () => maker.next()));
  const changes = random(2) === 0 ? 0 : 1 + random(4);
  for (let change = 0; change < changes; change++) {
    const at = random(bytes.length);
    const kind = random(3);
    if (kind === 0) bytes[at] = random(256);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    else bytes = Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at)]);
  }
  return bytes;
}
