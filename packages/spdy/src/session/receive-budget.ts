import type { ByteSource } from '@wherry/bytes';
import type { SpdyLimits } from '../limits.ts';
import type { StreamEnd } from './stream.ts';

/** Bounds on held bytes. */
export type ReceiveLimits = Pick<SpdyLimits, 'streamReceiveBytesMax' | 'sessionReceiveBytesMax'>;

/** Share of a bound that must be free again before reading goes on. */
const resumeShare = 0.5;

/** Counts the bytes that streams hold for stalled readers, and pauses the transport at the bounds (see limits.ts). */
export class ReceiveBudget {
  readonly #limits: ReceiveLimits;
  readonly #onChange: (full: boolean) => void;
  readonly #overfull = new Set<StreamEnd>();
  #heldBytes = 0;
  #full = false;

  /** `onChange` is told when reading has to stop (true) and when it may go on (false). */
  constructor(limits: ReceiveLimits, onChange: (full: boolean) => void) {
    this.#limits = limits;
    this.#onChange = onChange;
  }

  /** Bytes held by all streams together. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** A stream holds `bytes` more. */
  hold(stream: StreamEnd, bytes: number): void {
    this.#heldBytes += bytes;
    if (stream.heldBytes > this.#limits.streamReceiveBytesMax) this.#overfull.add(stream);
    if (!this.#full && (this.#overfull.size > 0 || this.#heldBytes > this.#limits.sessionReceiveBytesMax)) {
      this.#full = true;
      this.#onChange(true);
    }
  }

  /** A stream let go of `bytes`. */
  release(stream: StreamEnd, bytes: number): void {
    this.#heldBytes -= bytes;
    if (stream.heldBytes <= this.#limits.streamReceiveBytesMax * resumeShare) this.#overfull.delete(stream);
    if (
      this.#full &&
      this.#overfull.size === 0 &&
      this.#heldBytes <= this.#limits.sessionReceiveBytesMax * resumeShare
    ) {
      this.#full = false;
      this.#onChange(false);
    }
  }
}

/** Pauses a source while at least one of several reasons stands. */
export class PauseReasons {
  readonly #source: Pick<ByteSource, 'pause' | 'resume'>;
  readonly #onPause: () => void;
  readonly #reasons = new Set<string>();

  /** `onPause` is told each time that reading stops. */
  constructor(source: Pick<ByteSource, 'pause' | 'resume'>, onPause: () => void = () => {}) {
    this.#source = source;
    this.#onPause = onPause;
  }

  /** True while a reason stands. */
  get isPaused(): boolean {
    return this.#reasons.size > 0;
  }

  /** Sets or clears one reason. */
  set(reason: string, stands: boolean): void {
    const wasPaused = this.#reasons.size > 0;
    if (stands) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    const isPaused = this.#reasons.size > 0;
    if (isPaused && !wasPaused) {
      this.#source.pause();
      this.#onPause();
    }
    if (!isPaused && wasPaused) this.#source.resume();
  }

  /** Drops all reasons. */
  clear(): void {
    if (this.#reasons.size === 0) return;
    this.#reasons.clear();
    this.#source.resume();
  }
}
