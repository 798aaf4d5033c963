import { type Clock, sleep, systemClock } from '@wherry/clock';
import { type CallOptions, MonitorConnection } from './connection.ts';
import { MonitorError } from './errors.ts';
import { followEvents } from './event-feed.ts';
import type { EventMessage, EventPosition } from './events.ts';
import { limits } from './limits.ts';
import type { MonitorMethodName, MonitorMethods } from './methods.ts';

/** How to reach a monitor. */
export interface MonitorClientOptions {
  socketPath: string;
  /** How long a call waits for the monitor to appear. Default 5000. */
  connectTimeoutMs?: number;
  /** Default: the machine's. */
  clock?: Clock;
}

/**
 * The runtime's end of the wire. Connects on first use and again after each loss.
 * A call in flight when the monitor dies fails `UNAVAILABLE`, and it is unknown whether the monitor acted on it.
 */
export class MonitorClient {
  readonly #options: MonitorClientOptions;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  #connection: Promise<MonitorConnection> | null = null;

  constructor(options: MonitorClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Runs one method. Rejects with a {@link MonitorError}, or with `signal.reason` when aborted. */
  async call<M extends MonitorMethodName>(
    method: M,
    params: MonitorMethods[M]['params'],
    options: CallOptions & { notice?: (payload: MonitorMethods[M]['notice']) => void } = {},
  ): Promise<MonitorMethods[M]['result']> {
    const connection = await this.#connect(
      this.#options.connectTimeoutMs ?? limits.connectTimeoutMs,
      options.signal,
    );
    const notice = options.notice as ((payload: unknown) => void) | undefined;
    return (await connection.call(method, params, {
      signal: options.signal,
      ...(notice && { notice }),
    })) as MonitorMethods[M]['result'];
  }

  /**
   * Every event after `after` (from now on when absent), across the monitor's restarts. The first message, and the first
   * after any gap, is a `resync` with the full list; `current` comes instead when a reader that was away missed nothing.
   * `onLost` runs whenever the monitor is gone: what it said last may be untrue until the next message. Ends when
   * `signal` aborts or the client closes.
   */
  events(
    options: { after?: EventPosition | null; signal?: AbortSignal; onLost?: () => void } = {},
  ): AsyncGenerator<EventMessage, void> {
    const signal = options.signal
      ? AbortSignal.any([options.signal, this.#closing.signal])
      : this.#closing.signal;
    return followEvents({
      subscribe: (position, call) => this.call('events.subscribe', { after: position }, call),
      clock: this.#clock,
      after: options.after ?? null,
      signal,
      onLost: options.onLost,
    });
  }

  /** Gives up pending calls and subscriptions, and closes the connection. */
  async close(): Promise<void> {
    this.#closing.abort(new MonitorError('CANCELLED', 'the monitor client is closed'));
    const connection = await this.#connection?.catch(() => null);
    connection?.close();
  }

  async #connect(timeoutMs: number, signal?: AbortSignal): Promise<MonitorConnection> {
    const clock = this.#clock;
    const deadlineMs = clock.monotonicMs() + timeoutMs;
    while (!this.#closing.signal.aborted) {
      signal?.throwIfAborted();
      try {
        const attempt = this.#open();
        const connection = await attempt;
        if (!connection.isLost) return connection;
        if (this.#connection === attempt) this.#connection = null;
      } catch (error) {
        if (clock.monotonicMs() >= deadlineMs) throw this.#unreachable(error);
      }
      await sleep({ clock, delayMs: limits.reconnectDelayMs, signal });
    }
    throw this.#closing.signal.reason;
  }

  #open(): Promise<MonitorConnection> {
    this.#connection ??= this.#openOnce();
    return this.#connection;
  }

  async #openOnce(): Promise<MonitorConnection> {
    try {
      return await MonitorConnection.open(this.#options.socketPath);
    } catch (error) {
      this.#connection = null;
      throw error;
    }
  }

  #unreachable(cause: unknown): MonitorError {
    const { socketPath } = this.#options;
    return new MonitorError('UNAVAILABLE', `no monitor answers on "${socketPath}"; is it running?`, {
      cause,
    });
  }
}
