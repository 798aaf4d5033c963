import type { Clock, Timer } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import type { EtcdConnection } from './etcd-connection.ts';

/** As upstream calls it (etcd3/compact.go), below no prefix: all servers of one etcd agree by it. */
const agreementKey = Buffer.from('compact_rev_key');

/** What compaction works with. */
export interface EtcdCompactorOptions {
  connection: EtcdConnection;
  clock: Clock;
  logger: Logger;
  intervalMs: number;
}

/**
 * Forgets history that is between one and two intervals old. Of several servers, upstream's too, the one that first writes
 * the next version of the agreed key compacts; the others learn from it what the next round compacts.
 */
export class EtcdCompactor {
  readonly #options: EtcdCompactorOptions;
  #timer: Timer | undefined;
  #round = 0;
  #revision = 0;

  constructor(options: EtcdCompactorOptions) {
    this.#options = options;
    if (options.intervalMs > 0) this.#wait();
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #wait(): void {
    const { clock, intervalMs, logger } = this.#options;
    this.#timer = clock.after(intervalMs, () => {
      this.#compact()
        .catch((error: unknown) => logger.warn('compaction failed', { error }))
        .finally(() => {
          if (this.#timer) this.#wait();
        });
    });
  }

  async #compact(): Promise<void> {
    const { connection } = this.#options;
    const { succeeded, header, responses } = await connection.call('txn', {
      compare: [{ key: agreementKey, target: 0, version: this.#round }],
      success: [{ put: { key: agreementKey, value: Buffer.from(String(this.#revision)) } }],
      failure: [{ range: { key: agreementKey } }],
    });
    const known = this.#revision;
    this.#revision = header?.revision ?? known;
    if (!succeeded) {
      this.#round = responses[0]?.range?.kvs[0]?.version ?? 0;
      return;
    }
    this.#round += 1;
    if (known > 0) await connection.call('compact', { revision: known }, { repeats: true });
  }
}
