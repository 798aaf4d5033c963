import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';

const mebibyte = 1_024 ** 2;
const gibibyte = 1_024 ** 3;
/** Images of more than so many bytes, as upstream calls them; the largest first. */
const sizes: readonly [aboveBytes: number, name: string][] = [
  [100 * gibibyte, 'GT100GB'],
  [60 * gibibyte, '60GB-100GB'],
  [40 * gibibyte, '40GB-60GB'],
  [30 * gibibyte, '30GB-40GB'],
  [20 * gibibyte, '20GB-30GB'],
  [10 * gibibyte, '10GB-20GB'],
  [5 * gibibyte, '5GB-10GB'],
  [gibibyte, '1GB-5GB'],
  [500 * mebibyte, '500MB-1GB'],
  [100 * mebibyte, '100MB-500MB'],
  [10 * mebibyte, '10MB-100MB'],
  [0, '0-10MB'],
];
const bounds = [1, 5, 10, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600];

/** How long images take to come, their wait included, by their size, and what of them is asked for. */
export class PullFigures {
  readonly #duration: Histogram;
  readonly #asked: Counter;

  constructor(metrics: MetricsRegistry) {
    const help = 'Seconds that it took to pull an image, the wait included, by its size.';
    this.#duration = metrics.histogram('kubelet_image_pull_duration_seconds', help, bounds);
    this.#asked = metrics.counter(
      'kubelet_image_manager_ensure_image_requests_total',
      'Number of ensure-image requests processed by the kubelet.',
    );
  }

  /** A container needs an image; `isPresent` is undefined where that was not looked for. */
  asked(policy: string, isPresent: boolean | undefined, mustPull: boolean): void {
    this.#asked.add(1, {
      pull_policy: policy.toLowerCase(),
      present_locally: String(isPresent ?? 'unknown'),
      pull_required: String(mustPull),
    });
  }

  pulled(tookMs: number, sizeBytes: number | undefined): void {
    const [, name] = sizes.find(([above]) => (sizeBytes ?? 0) > above) ?? [];
    this.#duration.observe(tookMs / 1_000, { image_size_in_bytes: name ?? 'N/A' });
  }
}
