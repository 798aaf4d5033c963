import { type ByteChannel, meterSink, meterSource } from '@wherry/bytes';
import type { LiveSession, StreamMeter } from '@wherry/telemetry';
import type { ForwardedClient } from './target-join.ts';

/** One connection to a port, as its session is told of it. */
export class ToldConnection {
  readonly #stream: StreamMeter | undefined;
  readonly #over: ((failed: boolean) => void) | undefined;
  #release = () => {};

  constructor(session: LiveSession | undefined, port: number) {
    this.#stream = session?.stream('port', port);
    this.#over = this.#stream?.connect();
  }

  /** The client's end, whose bytes are counted. */
  metered(client: ForwardedClient, target: ByteChannel): ForwardedClient {
    if (!this.#stream) return client;
    const { up, down } = this.#stream;
    this.#release = up.holds(() => target.bufferedBytes);
    return { ...client, source: meterSource(client.source, up), sink: meterSink(client.sink, down) };
  }

  /** It has ended. */
  over(failure: Error | null): void {
    this.#release();
    this.#over?.(failure !== null);
  }
}
