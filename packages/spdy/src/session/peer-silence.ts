import type { SpdyRole } from './contract.ts';
import type { Ticks } from './ticks.ts';

/** Options of {@link PeerSilence}. */
export interface PeerSilenceOptions {
  clock: Ticks;
  role: SpdyRole;
  timeoutMs: number;
  /** Bytes behind the last answered ping from which on a server's silence says nothing. */
  stalledPeerBytes: number;
  /** True while we do not read: then silence is ours. */
  isPaused(): boolean;
  onSilence(silentMs: number): void;
}

/**
 * Notices a peer that is gone without a word, where silence can mean nothing else. Go peers answer no ping while one of
 * their streams waits for its reader, so silence counts only when every byte before the last answered ping was taken:
 * nearly every one at a client, whose server takes at least what a pipe holds; every single one at a server, and only
 * if its client used to ping, as one that pauses its output may never read again for long. Go servers never ping by
 * themselves: one that does is of this kind, and pings on whether or not it reads.
 */
export class PeerSilence {
  readonly #options: PeerSilenceOptions;
  #heardMs: number;
  #sentBytes = 0;
  #takenBytes = 0;
  #pingedAtBytes = 0;
  #peerPings = false;
  #isOver = false;

  constructor(options: PeerSilenceOptions) {
    this.#options = options;
    this.#heardMs = options.clock.monotonicMs();
  }

  /** Bytes came from the peer. */
  heard(): void {
    this.#heardMs = this.#options.clock.monotonicMs();
  }

  /** The peer sent a ping of its own. */
  peerPinged(): void {
    this.#peerPings = true;
  }

  /** Bytes of a stream were sent. */
  sent(bytes: number): void {
    this.#sentBytes += bytes;
  }

  /** A ping leaves: the only one that waits for its answer. */
  pinged(): void {
    this.#pingedAtBytes = this.#sentBytes;
  }

  /** The ping came back. */
  answered(): void {
    this.#takenBytes = this.#pingedAtBytes;
  }

  /** Looks at the time; to be called at an interval far below the time-out. */
  check(): void {
    if (this.#isOver) return;
    if (this.#isExcused()) this.heard();
    const silentMs = this.#options.clock.monotonicMs() - this.#heardMs;
    if (silentMs < this.#options.timeoutMs) return;
    this.#isOver = true;
    this.#options.onSilence(silentMs);
  }

  #isExcused(): boolean {
    const { role, isPaused, stalledPeerBytes } = this.#options;
    if (isPaused()) return true;
    if (role === 'client' && this.#peerPings) return false;
    const bytesMax = role === 'client' ? stalledPeerBytes : 0;
    return this.#sentBytes - this.#takenBytes > bytesMax;
  }
}
