import type { WaitOptions } from '@wherry/bytes';
import { orAborted } from '@wherry/bytes';
import { SpdyError } from '../frames/errors.ts';
import type { PeerSilence } from './peer-silence.ts';
import type { Tick, Ticks } from './ticks.ts';

interface PendingPing {
  sentAtMs: number;
  resolve(roundTripMs: number): void;
  reject(error: Error): void;
}

/** Options of {@link Pings}. */
export interface PingsOptions {
  clock: Ticks;
  /** Ids are odd from the client, even from the server. */
  firstId: 1 | 2;
  pendingMax: number;
  send(id: number): void;
  /** True while we do not read, answers neither. */
  isPaused(): boolean;
  /** Takes note of what the pings sent at an interval tell. */
  silence?: PeerSilence | undefined;
}

/** Our own pings: sent, awaited, answered; and sent by themselves at an interval. */
export class Pings {
  readonly #options: PingsOptions;
  readonly #pending = new Map<number, PendingPing>();
  #nextId: number;
  #timer: Tick | undefined;
  #knock: Tick | undefined;
  #isStopped = false;

  constructor(options: PingsOptions) {
    this.#options = options;
    this.#nextId = options.firstId;
  }

  /** Sends a ping; resolves with the round trip in milliseconds. */
  ping({ signal }: WaitOptions = {}): Promise<number> {
    const { clock, pendingMax, send } = this.#options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#pending.size >= pendingMax) {
      return Promise.reject(
        new SpdyError('limit-exceeded', `ping: ${pendingMax} pings are still unanswered`),
      );
    }
    const id = this.#takeId();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#pending.set(id, { sentAtMs: clock.monotonicMs(), resolve, reject });
    send(id);
    return orAborted(promise, signal).finally(() => this.#pending.delete(id));
  }

  /** Whether a ping with this id is one of ours by its parity, so that it must not be echoed. */
  isOwn(id: number): boolean {
    return id % 2 === this.#options.firstId % 2;
  }

  /** The peer's answer; a second one or an unknown id is harmless. */
  answered(id: number): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.resolve(this.#options.clock.monotonicMs() - pending.sentAtMs);
  }

  /**
   * Pings every `intervalMs` from now on, but not while the last ping is unanswered: a Go peer whose reader stalls
   * answers late, which is no failure. While we do not read, pings leave all the same: they say that we live.
   */
  startInterval(intervalMs: number, firstDelayMs = intervalMs): void {
    const { clock, silence, send, isPaused } = this.#options;
    let awaiting = false;
    const done = () => {
      awaiting = false;
    };
    const answered = () => {
      silence?.answered();
      done();
    };
    const tick = () => {
      this.#timer = clock.after(intervalMs, tick);
      silence?.check();
      if (this.#isStopped) return;
      if (awaiting) {
        if (isPaused()) send(this.#takeId());
        return;
      }
      awaiting = true;
      silence?.pinged();
      this.ping().then(answered, done);
    };
    this.#timer ??= clock.after(firstDelayMs, tick);
  }

  /**
   * Sends pings, whose answers nobody waits for, as long as we do not read: what is not read tells of no end, and a peer
   * that has gone shows only where something is sent to it. Its own pings stand behind what is not read.
   */
  knockWhilePaused(intervalMs: number): void {
    const { clock, send, isPaused } = this.#options;
    const knock = () => {
      this.#knock = undefined;
      if (!isPaused() || this.#timer) return;
      send(this.#takeId());
      this.#knock = clock.after(intervalMs, knock);
    };
    this.#knock ??= clock.after(intervalMs, knock);
  }

  /** No more pings; those who wait are refused. */
  stop(error: Error): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#knock?.cancel();
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }

  #takeId(): number {
    const id = this.#nextId;
    this.#nextId = id + 2 > 0xffff_ffff ? this.#options.firstId : id + 2;
    return id;
  }
}
