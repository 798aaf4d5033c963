import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FlowMeter, LiveSession } from '@wherry/telemetry';

/** A log on its way to its reader, as its session is told of it; without a session nothing is. */
export class FollowedLog {
  readonly #session: LiveSession | undefined;
  readonly #down: FlowMeter | undefined;
  #isWaiting = false;

  constructor(session: LiveSession | undefined) {
    this.#session = session;
    this.#down = session?.stream('log').down;
  }

  /** Its pieces are counted as they pass from one to the other, which is begun in the same turn of the event loop. */
  watch(answer: IncomingMessage, response: ServerResponse): void {
    if (!this.#down) return;
    this.joined('HTTP');
    this.#down.holds(() => response.writableLength);
    answer.on('data', (chunk: Buffer) => this.passed(chunk.length));
    answer.on('pause', () => this.waits(true));
    response.on('drain', () => this.waits(false));
  }

  /** The reader is there, and takes it by this protocol. */
  joined(client: string): void {
    this.#session?.joined({ client, backend: 'HTTP' });
  }

  passed(length: number): void {
    this.#down?.passed(length);
  }

  /** The reader takes no more, or does again. */
  waits(isWaiting: boolean): void {
    if (this.#isWaiting === isWaiting) return;
    this.#isWaiting = isWaiting;
    this.#down?.waits(isWaiting);
  }

  /** The kubelet could not be asked. */
  failed({ message }: Error): void {
    this.#session?.end({ reason: 'failed', by: 'backend', message });
  }

  /** The kubelet said no. */
  refused(statusCode: number): void {
    this.#session?.end({ reason: 'refused', statusCode, by: 'backend' });
  }

  /** Nothing more comes, or nobody reads any more. */
  ended({ complete }: IncomingMessage): void {
    this.#session?.end({ reason: 'closed', by: complete ? 'backend' : 'client' });
  }
}
