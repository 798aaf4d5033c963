import { type ByteChannel, channelPair } from '@wherry/bytes';
import { FakeClock } from '@wherry/clock';
import {
  createSpdySession,
  defaultLimits,
  FrameDecoder,
  type FrameHandler,
  HeaderFrameEncoder,
  type SpdyRole,
  type SpdySession,
  type SpdySessionOptions,
} from '../src/index.ts';

/** A frame in words, so that a conversation reads as a list of lines. */
export type Line = string;

/** The far end of a session under test: says whatever frames it is told to, and writes down what it hears. */
export class RawPeer {
  readonly channel: ByteChannel;
  readonly lines: Line[] = [];
  readonly encoder = new HeaderFrameEncoder(defaultLimits);
  /** How the transport ended as seen from here: nothing yet, 'end' for FIN, then 'closed'. */
  readonly ends: string[] = [];
  /** Number of chunks in which the session's bytes came. */
  chunks = 0;
  dataBytes = 0;

  constructor(channel: ByteChannel) {
    this.channel = channel;
    const decoder = new FrameDecoder(this.#scribe(), defaultLimits);
    channel.receive({
      data: (chunk) => {
        this.chunks++;
        decoder.push(chunk);
      },
      end: () => this.ends.push('end'),
      closed: (error) => this.ends.push(error ? 'broken' : 'closed'),
    });
  }

  /** Sends bytes as they are. */
  send(...frames: Uint8Array[]): void {
    for (const frame of frames) this.channel.write(frame);
  }

  /** Sends frames given in hexadecimal. */
  sendHex(...frames: string[]): void {
    this.send(...frames.map((frame) => Buffer.from(frame.replaceAll(' ', ''), 'hex')));
  }

  /** Opens a stream. */
  open(streamId: number, headers: Record<string, string> = {}, fin = false): void {
    this.send(this.encoder.synStream({ streamId, headers, fin }));
  }

  /** Replies to a stream. */
  reply(streamId: number, fin = false): void {
    this.send(this.encoder.synReply({ streamId, headers: {}, fin }));
  }

  #scribe(): FrameHandler {
    const note = (line: Line) => this.lines.push(line);
    const finned = (fin: boolean) => (fin ? ' fin' : '');
    return {
      synStream: (frame) =>
        note(
          `SYN_STREAM ${frame.streamId} ${JSON.stringify(Object.fromEntries(frame.headers))}${finned(frame.fin)}`,
        ),
      synReply: (frame) => note(`SYN_REPLY ${frame.streamId}${finned(frame.fin)}`),
      headers: (frame) => note(`HEADERS ${frame.streamId}`),
      rstStream: (streamId, status) => note(`RST_STREAM ${streamId} ${status}`),
      ping: (id) => note(`PING ${id}`),
      goAway: (last, status) => note(`GOAWAY ${last} ${status}`),
      data: (streamId, piece, fin) => {
        this.dataBytes += piece.length;
        note(`DATA ${streamId} ${piece.length}${finned(fin)}`);
      },
    };
  }
}

/** A session under test with a raw peer behind it, on a clock that stands still. */
export interface Bench {
  session: SpdySession;
  peer: RawPeer;
  clock: FakeClock;
}

/** Sets a session up; `role` is the session's. */
export function bench(role: SpdyRole, options: Partial<SpdySessionOptions> = {}): Bench {
  const [near, far] = channelPair();
  const clock = new FakeClock();
  const session = createSpdySession({ transport: near, role, clock, ...options });
  return { session, peer: new RawPeer(far), clock };
}

/** Two sessions, one behind the other. */
export function sessionPair(
  options: { client?: Partial<SpdySessionOptions>; server?: Partial<SpdySessionOptions> } = {},
): { client: SpdySession; server: SpdySession; clock: FakeClock } {
  const [near, far] = channelPair();
  const clock = new FakeClock();
  const client = createSpdySession({ transport: near, role: 'client', clock, ...options.client });
  const server = createSpdySession({ transport: far, role: 'server', clock, ...options.server });
  return { client, server, clock };
}

/** Lets everything that is under way arrive. */
export async function settle(rounds = 5): Promise<void> {
  for (let round = 0; round < rounds; round++) await new Promise((resolve) => setImmediate(resolve));
}
