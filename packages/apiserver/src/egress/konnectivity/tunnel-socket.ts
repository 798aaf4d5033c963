import { Duplex } from 'node:stream';
import type { Clock, Timer } from '@wherry/clock';
import { limits, periods } from '../../limits.ts';
import { EgressDialError } from '../dial-error.ts';
import { type Packet, packetType } from './packets.ts';

/** A stream of packets to one proxy, which is for one connection alone. */
export interface PacketStream {
  /** Calls back once the packet has left, or could not. */
  send(packet: Packet, sent: (error?: Error | null) => void): void;
  pause(): void;
  resume(): void;
  /** Ends it, and what is below it. Repeats are harmless. */
  close(): void;
}

type Written = (error?: Error | null) => void;

/** What a connection that was dialled is known by at the proxy; `dialling` before that, `over` once nothing more comes. */
type State =
  | { at: 'dialling'; random: bigint }
  | { at: 'open'; connectId: bigint }
  | { at: 'closing'; connectId: bigint }
  | { at: 'over' };

/**
 * A connection that Konnectivity's server leads to whom its agent dials. Who reads slowly slows the other end down; but
 * who takes nothing at all for `periods.egressReadMs` while more waits loses the connection, as upstream: what others
 * have over the same agent would wait for him. The protocol can not say that one direction has ended: once
 * the other end has been silent for `periods.egressSilenceMs` after that, the connection ends.
 */
export class TunnelSocket extends Duplex {
  readonly #stream: PacketStream;
  readonly #clock: Clock;
  readonly #dialled = Promise.withResolvers<void>();
  readonly #waiting: Uint8Array[] = [];
  #state: State;
  #isWanted = false;
  #isEnded = false;
  /** Until somebody has to read; until the other end has been silent for long. */
  #unread: Timer | undefined;
  #silence: Timer | undefined;

  /** Dials at once. Packets go to {@link receive}, the stream's end to {@link lose}. */
  constructor(stream: PacketStream, { address, random, clock }: TunnelDestination) {
    super({ allowHalfOpen: true });
    this.#stream = stream;
    this.#clock = clock;
    this.#state = { at: 'dialling', random };
    this.#dialled.promise.catch(() => {});
    const dialRequest = { protocol: 'tcp', address, random };
    stream.send({ type: packetType.dialRequest, dialRequest }, () => {});
  }

  /** Resolves once the other end is there. Rejects with why it is not, or what the socket was destroyed with. */
  get dialled(): Promise<void> {
    return this.#dialled.promise;
  }

  /** A packet has come. */
  receive({ type, dialResponse, data, closeResponse }: Packet): void {
    if (type === packetType.dialResponse && dialResponse) this.#answered(dialResponse);
    else if (type === packetType.dialClose) {
      if (this.#state.at === 'dialling') this.#fail(new EgressDialError('proxy', 'dial closed'));
    } else if (type === packetType.data && data) this.#received(data);
    else if (type === packetType.closeResponse && closeResponse) this.#closed(closeResponse);
  }

  /** No packet comes any more; `error` is why a dial did not succeed. */
  lose(error: Error): void {
    if (this.#state.at !== 'over') this.#fail(error);
  }

  /** As sockets have it: ends once what was written has left. */
  destroySoon(): void {
    this.end(() => this.destroy());
  }

  override _read(): void {
    this.#isWanted = true;
    this.#pass();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: Written): void {
    if (this.#state.at === 'open') this.#send(chunk, this.#state.connectId, written);
    else written();
  }

  #send(chunk: Buffer, connectId: bigint, written: Written): void {
    const { egressPacketBytesMax: bytesMax } = limits;
    const last = Math.max(Math.ceil(chunk.length / bytesMax) - 1, 0);
    for (let index = 0; index <= last; index += 1) {
      const piece = chunk.subarray(index * bytesMax, (index + 1) * bytesMax);
      const packet = { type: packetType.data, data: { connectId, error: '', data: piece } };
      // The stream itself keeps them in order, and fails as a whole: that is told by `lose`.
      this.#stream.send(packet, index === last ? () => written() : () => {});
    }
  }

  override _final(done: Written): void {
    this.#isEnded = true;
    this.#listen();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#dialled.reject(error ?? new EgressDialError('proxy', 'dial timeout, context'));
    this.#unread?.cancel();
    this.#silence?.cancel();
    this.#waiting.length = 0;
    this.#leave();
    done(error);
  }

  /** Tells the proxy that this is over, and waits for its word, so that what is under way harms nobody. */
  #leave(): void {
    const state = this.#state;
    if (state.at === 'over') {
      this.#stream.close();
      return;
    }
    const patience = this.#clock.after(periods.egressCloseMs, () => this.#stream.close());
    if (state.at === 'dialling') {
      this.#state = { at: 'over' };
      const closeDial = { random: state.random };
      this.#stream.send({ type: packetType.dialClose, closeDial }, () => {
        patience.cancel();
        this.#stream.close();
      });
      return;
    }
    this.#silence = patience;
    if (state.at === 'open') this.#askToClose(state.connectId);
    this.#stream.resume();
  }

  #askToClose(connectId: bigint): void {
    this.#state = { at: 'closing', connectId };
    this.#stream.send({ type: packetType.closeRequest, closeRequest: { connectId } }, () => {});
  }

  #fail(error: Error): void {
    this.#state = { at: 'over' };
    if (this.destroyed) {
      this.#silence?.cancel();
      this.#stream.close();
    } else this.destroy(error);
  }

  #answered({ error, connectId, random }: NonNullable<Packet['dialResponse']>): void {
    if (this.#state.at !== 'dialling' || this.#state.random !== random) return;
    if (error === '') {
      this.#state = { at: 'open', connectId };
      this.#dialled.resolve();
    } else this.#fail(new EgressDialError('proxy', error));
  }

  #received({ connectId, data }: NonNullable<Packet['data']>): void {
    if (this.destroyed || !this.#is(connectId) || data.length === 0) return;
    this.#waiting.push(data);
    if (this.#isEnded) this.#listen();
    this.#pass();
    if (this.#waiting.length <= limits.egressPacketsMax || this.#unread) return;
    this.#stream.pause();
    this.#unread = this.#clock.after(periods.egressReadMs, () =>
      this.destroy(
        new Error(
          `readTimeout has been reached, the connection is closed: nobody has read for ${periods.egressReadMs / 1_000} s`,
        ),
      ),
    );
  }

  /** Hands on as much as is wanted. */
  #pass(): void {
    while (this.#isWanted && this.#waiting.length > 0) this.#isWanted = this.push(this.#waiting.shift());
    if (this.#unread && this.#waiting.length <= limits.egressPacketsMax) {
      this.#unread.cancel();
      this.#unread = undefined;
      this.#stream.resume();
    }
    if (this.#state.at === 'over' && this.#waiting.length === 0 && !this.destroyed) this.push(null);
  }

  #closed({ error, connectId }: NonNullable<Packet['closeResponse']>): void {
    if (!this.#is(connectId)) return;
    if (this.destroyed || error !== '') {
      this.#fail(new Error(error || 'tunnel closed'));
      return;
    }
    this.#state = { at: 'over' };
    this.#stream.close();
    this.#pass();
  }

  #is(connectId: bigint): boolean {
    const state = this.#state;
    return (state.at === 'open' || state.at === 'closing') && state.connectId === connectId;
  }

  /** Until the other end has been silent for long, from now on. */
  #listen(): void {
    this.#silence?.cancel();
    if (this.#state.at !== 'open') return;
    const { connectId } = this.#state;
    this.#silence = this.#clock.after(periods.egressSilenceMs, () => this.#askToClose(connectId));
  }
}

/** Whom to dial. */
export interface TunnelDestination {
  /** `HOST:PORT`. */
  address: string;
  /** By which the answer is known. */
  random: bigint;
  clock: Clock;
}
