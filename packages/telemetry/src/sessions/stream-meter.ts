import { FlowMeter } from './flow-meter.ts';
import type { SessionStream } from './shape.ts';

/** What a {@link StreamMeter} is made of. */
export interface StreamMeterOptions {
  name: SessionStream['name'];
  port?: number | undefined;
  nowMs: () => number;
  /** Who takes what goes up: another server, or the process itself. */
  upwardTaker: 'backend' | 'process';
}

/** One stream of a session: both directions, and of a port its connections. */
export class StreamMeter {
  readonly #options: StreamMeterOptions;
  readonly #connections = { open: 0, total: 0, failed: 0 };
  #up: FlowMeter | undefined;
  #down: FlowMeter | undefined;

  constructor(options: StreamMeterOptions) {
    this.#options = options;
  }

  /** Towards the process. */
  get up(): FlowMeter {
    this.#up ??= new FlowMeter(this.#options.nowMs, this.#options.upwardTaker);
    return this.#up;
  }

  /** Towards the client. */
  get down(): FlowMeter {
    this.#down ??= new FlowMeter(this.#options.nowMs, 'client');
    return this.#down;
  }

  get lastMs(): number {
    return Math.max(this.#up?.lastMs ?? 0, this.#down?.lastMs ?? 0);
  }

  get stamp(): number {
    const { open, total } = this.#connections;
    return (this.#up?.stamp ?? 0) + (this.#down?.stamp ?? 0) + 2 * total - open;
  }

  /** A connection to the port was asked for; what is returned says that it is over, and whether it failed. */
  connect(): (failed: boolean) => void {
    this.#connections.open++;
    this.#connections.total++;
    return (failed) => {
      this.#connections.open--;
      if (failed) this.#connections.failed++;
    };
  }

  describe(): SessionStream {
    const { name, port } = this.#options;
    const stream: SessionStream = { name };
    if (port !== undefined) stream.port = port;
    if (name === 'port') stream.connections = { ...this.#connections };
    if (this.#up) stream.up = this.#up.describe();
    if (this.#down) stream.down = this.#down.describe();
    return stream;
  }
}
