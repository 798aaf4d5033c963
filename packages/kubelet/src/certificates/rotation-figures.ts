import { X509Certificate } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';
import type { CertificateUse } from './ask-for-certificate.ts';

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
const bounds = [
  60,
  hourSeconds,
  4 * hourSeconds,
  ...[1, 7, 30, 90, 180, 360, 1_440].map((days) => days * daySeconds),
];

/** How long a certificate holds, and how its replacement goes, under upstream's names (pkg/kubelet/certificate). */
export class RotationFigures {
  readonly #clock: Clock;
  readonly #left: Gauge;
  readonly #failures: Counter;
  readonly #age: Histogram;
  #untilMs: number | undefined;

  constructor(use: CertificateUse, metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    const side = use === 'client' ? 'client' : 'server';
    this.#left = metrics.gauge(
      `kubelet_certificate_manager_${side}_ttl_seconds`,
      `Gauge of the TTL (time-to-live) of the Kubelet's ${use} certificate, negative when it is over.`,
      () => this.#measure(),
    );
    this.#failures = metrics.counter(
      use === 'client'
        ? 'kubelet_certificate_manager_client_expiration_renew_errors'
        : 'kubelet_server_expiration_renew_errors',
      'Counter of certificate renewal errors.',
    );
    this.#failures.add(0);
    this.#age = metrics.histogram(
      `kubelet_certificate_manager_${side}_rotation_seconds`,
      'Histogram of the number of seconds the previous certificate lived before being rotated.',
      bounds,
    );
  }

  /** This certificate is in use. */
  use(cert: string): void {
    this.#untilMs = new X509Certificate(cert).validToDate.getTime();
  }

  /** It was taken over from that one, if there was one. */
  replaced(before: string | undefined): void {
    if (before === undefined) return;
    const bornMs = new X509Certificate(before).validFromDate.getTime();
    this.#age.observe((this.#clock.nowMs() - bornMs) / 1_000);
  }

  failed(): void {
    this.#failures.add(1);
  }

  #measure(): void {
    if (this.#untilMs !== undefined)
      this.#left.set(Math.round((this.#untilMs - this.#clock.nowMs()) / 1_000));
  }
}
