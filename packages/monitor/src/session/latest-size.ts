import type { Clock } from '@wherry/clock';
import type { RemoteCommandSession, TerminalSize } from '@wherry/remotecommand';

/** The size of a client's terminal, from the moment its session begins. A size of nothing is ignored. */
export class LatestSize {
  latest: TerminalSize | null = null;
  #apply: (size: TerminalSize) => void = () => {};
  readonly #told = Promise.withResolvers<void>();

  constructor(session: RemoteCommandSession) {
    void this.#read(session);
  }

  /** The size known once the client has told one: null when it has no way to, or says none within `waitMs`. */
  async first(clock: Clock, waitMs: number): Promise<TerminalSize | null> {
    const timer = clock.after(waitMs, this.#told.resolve);
    await this.#told.promise;
    timer.cancel();
    return this.latest;
  }

  /** Applies the size known so far, if any, and each later one. A terminal that is gone by then is no error. */
  follow(apply: (size: TerminalSize) => void): void {
    this.#apply = apply;
    if (this.latest) this.#applyQuietly(this.latest);
  }

  async #read(session: RemoteCommandSession): Promise<void> {
    for await (const size of session.sizes) {
      if (size.width === 0 || size.height === 0) continue;
      this.latest = size;
      this.#told.resolve();
      this.#applyQuietly(size);
    }
    this.#told.resolve();
  }

  #applyQuietly(size: TerminalSize): void {
    try {
      this.#apply(size);
    } catch {
      // The terminal closed while the size was on its way.
    }
  }
}
