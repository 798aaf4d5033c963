import type { ByteChannel, ByteSink, ByteSource } from '@wherry/bytes';

/** How a forwarded connection ended. */
export interface TargetOutcome {
  /** What broke on the target's side; null when it ended in order, or the client left first. */
  targetError: Error | null;
}

/** The client's end of a forwarded connection. */
export interface ForwardedClient {
  source: ByteSource;
  sink: ByteSink;
  /** Whether the client can end its direction apart. If not, the target's end is the end of both. */
  halfCloses: boolean;
  /** Called once when the target has ended in order and the client has been told. */
  onTargetEnd?: (() => void) | undefined;
}

/**
 * Joins a client to its target: bytes, back-pressure and half-close pass both ways, until both directions have ended.
 * A client that resets after the target has ended only loses interest: what it sent is still delivered. Never rejects.
 */
export function joinTarget(client: ForwardedClient, target: ByteChannel): Promise<TargetOutcome> {
  return new TargetJoin(client, target).outcome;
}

class TargetJoin {
  readonly outcome: Promise<TargetOutcome>;
  readonly #settle: (outcome: TargetOutcome) => void;
  readonly #client: ForwardedClient;
  readonly #target: ByteChannel;
  #clientEnded = false;
  #targetEnded = false;

  constructor(client: ForwardedClient, target: ByteChannel) {
    const { promise, resolve } = Promise.withResolvers<TargetOutcome>();
    this.outcome = promise;
    this.#settle = resolve;
    this.#client = client;
    this.#target = target;
    this.#upload();
    this.#download();
  }

  #upload(): void {
    const { source } = this.#client;
    source.receive({
      data: (chunk) => {
        if (!this.#clientEnded) this.#move(source, this.#target, chunk);
      },
      end: () => this.#clientDone(),
      closed: (error) => {
        if (error && !this.#targetEnded) this.#clientLeft(error);
        else this.#clientDone();
      },
    });
  }

  #download(): void {
    this.#target.receive({
      data: (chunk) => this.#move(this.#target, this.#client.sink, chunk),
      end: () => {
        this.#targetEnded = true;
        this.#endClient();
        this.#client.onTargetEnd?.();
        if (!this.#client.halfCloses) this.#clientDone();
        this.#check();
      },
      closed: (error) => this.#targetClosed(error),
    });
  }

  /** Writes; when the sink is full or gone, the source waits, or goes on into nothing. */
  #move(source: ByteSource, sink: ByteSink, chunk: Uint8Array): void {
    try {
      if (sink.write(chunk)) return;
    } catch {
      return; // The sink's own end says what happened.
    }
    source.pause();
    sink.drained().then(
      () => source.resume(),
      () => source.resume(),
    );
  }

  #clientDone(): void {
    if (this.#clientEnded) return;
    this.#clientEnded = true;
    this.#target.end();
    this.#check();
  }

  /** The client reset the connection, or is gone: so is the target's. */
  #clientLeft(error: Error): void {
    this.#clientEnded = true;
    this.#target.abort(error);
    this.#settle({ targetError: null });
  }

  #targetClosed(error: Error | null): void {
    if (error && !this.#targetEnded) {
      this.#settle({ targetError: error });
      return;
    }
    // Gone after its FIN: what the client still sends can go nowhere.
    this.#targetEnded = true;
    this.#clientEnded = true;
    this.#endClient();
    this.#check();
  }

  #endClient(): void {
    try {
      this.#client.sink.end();
    } catch {
      // Gone already.
    }
  }

  #check(): void {
    if (this.#clientEnded && this.#targetEnded) this.#settle({ targetError: null });
  }
}
