import type { Histogram, HistogramSeries, MetricsRegistry } from '@wherry/telemetry';
import type { Operation } from '../admission.ts';
import { type AdmissionPhase, ConditionFigures } from './condition-figures.ts';
import { PolicyFigures } from './policy-figures.ts';
import { WebhookFigures } from './webhook-figures.ts';

/** Upper bounds in seconds, as upstream has them. */
const secondsBounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** Times one plug-in, or all of them, in one phase of one operation. */
export class PhaseSeries {
  readonly #family: Histogram;
  readonly #labels: Record<string, string>;
  #passed: HistogramSeries | undefined;
  #rejected: HistogramSeries | undefined;

  constructor(family: Histogram, labels: Record<string, string>) {
    this.#family = family;
    this.#labels = labels;
  }

  passed(tookMs: number): void {
    this.#passed ??= this.#seriesOf('false');
    this.#passed.observe(tookMs / 1000);
  }

  rejected(tookMs: number): void {
    this.#rejected ??= this.#seriesOf('true');
    this.#rejected.observe(tookMs / 1000);
  }

  #seriesOf(rejected: string): HistogramSeries {
    return this.#family.series({ ...this.#labels, rejected });
  }
}

/** Times admission, plug-in by plug-in and as a whole, and what plug-ins ask (upstream: admission/metrics). */
export class AdmissionFigures {
  readonly webhooks: WebhookFigures;
  readonly conditions: ConditionFigures;
  readonly policies: PolicyFigures;
  readonly #steps: Histogram;
  readonly #controllers: Histogram;

  constructor(metrics: MetricsRegistry) {
    this.webhooks = new WebhookFigures(metrics);
    this.conditions = new ConditionFigures(metrics);
    this.policies = new PolicyFigures(metrics);
    this.#steps = metrics.histogram(
      'apiserver_admission_step_admission_duration_seconds',
      'Time that all plug-ins of a phase took.',
      secondsBounds,
    );
    this.#controllers = metrics.histogram(
      'apiserver_admission_controller_admission_duration_seconds',
      'Time that a plug-in took.',
      secondsBounds,
    );
  }

  ofStep(type: AdmissionPhase, operation: Operation): PhaseSeries {
    return new PhaseSeries(this.#steps, { type, operation });
  }

  ofPlugin(name: string, type: AdmissionPhase, operation: Operation): PhaseSeries {
    return new PhaseSeries(this.#controllers, { name, type, operation });
  }
}
