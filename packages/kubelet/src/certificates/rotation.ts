import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { KubeClient } from '@wherry/client';
import { backoff, type Clock, sleep } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { certificateHostsMs, certificateRetry } from '../limits.ts';
import { askForCertificate, type CertificateSubject } from './ask-for-certificate.ts';
import { createKey } from './key.ts';
import type { Pair, PairStore } from './pair-store.ts';
import type { RotationFigures } from './rotation-figures.ts';

/** What a rotation works with. */
export interface RotationOptions {
  store: PairStore;
  /** Whom it is for, at this moment. */
  subject(): CertificateSubject;
  client: KubeClient;
  clock: Clock;
  logger: Logger;
  figures: Pick<RotationFigures, 'use' | 'replaced' | 'failed'>;
  /** Told of each new pair. */
  onRotated(pair: Pair): void;
  /** Numbers in [0, 1). Default `Math.random`. */
  random?: (() => number) | undefined;
}

/** When a certificate is replaced, in milliseconds since 1970: after 70 to 90 % of its life, nodes not all at once. */
function rotationTimeMs(cert: string, random: () => number = Math.random): number {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  const lifeMs = validToDate.getTime() - validFromDate.getTime();
  return validFromDate.getTime() + lifeMs * (0.7 + 0.2 * random());
}

/** Replaces a certificate before it ends, and gets the first one where there is none. Failures are tried again until closed. */
export class CertificateRotation {
  readonly #options: RotationOptions;
  readonly #closed = new AbortController();
  readonly #retries = backoff(certificateRetry);

  constructor(options: RotationOptions) {
    this.#options = options;
  }

  /** Runs until {@link close}. */
  async run(pair: Pair | undefined): Promise<void> {
    const { logger, subject, clock, figures } = this.#options;
    const { signal } = this.#closed;
    let current = pair;
    if (current) figures.use(current.cert);
    while (!signal.aborted) {
      try {
        if (current) await this.#untilDue(current);
        const before = current;
        current = await this.#rotate();
        figures.replaced(before?.cert);
        figures.use(current.cert);
        this.#retries.reset();
        // A clock that is far ahead takes each new certificate for an old one.
        await sleep({ clock, delayMs: certificateRetry.initialMs, signal });
      } catch (error) {
        if (signal.aborted) return;
        figures.failed();
        logger.warn('a certificate could not be had; it is asked for again', { use: subject().use, error });
        await sleep({ clock, delayMs: this.#retries.nextDelayMs(), signal }).catch(() => {});
      }
    }
  }

  close(): void {
    this.#closed.abort(new Error('the kubelet ends'));
  }

  async #rotate(): Promise<Pair> {
    const { store, subject, client, clock, logger, onRotated } = this.#options;
    const key = createKey();
    const cert = await askForCertificate(key, subject(), { client, clock, signal: this.#closed.signal });
    const pair = { cert, key };
    await store.write(pair, clock.nowMs());
    onRotated(pair);
    logger.info('a certificate was replaced', { use: subject().use, file: store.currentPath });
    return pair;
  }

  /** Sleeps until a certificate is to be replaced: at once, when it does not name all hosts, also when they become others. */
  async #untilDue(pair: Pair): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#closed;
    const atMs = rotationTimeMs(pair.cert, random);
    // Timers hold no more than 24 days, and the clock may be set meanwhile.
    for (let leftMs = atMs - clock.nowMs(); leftMs > 0 && this.#fits(pair); leftMs = atMs - clock.nowMs())
      await sleep({ clock, delayMs: Math.min(leftMs, certificateHostsMs), signal });
  }

  #fits({ cert }: Pair): boolean {
    const certificate = new X509Certificate(cert);
    // Node's checkIP throws on what is no address.
    const names = (host: string) =>
      isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
    return this.#options.subject().hosts.every((host) => names(host) !== undefined);
  }
}
