import type { Counter, MetricsRegistry } from '@wherry/telemetry';
import type { AdmissionRequest } from '../admission.ts';
import { type LevelVersion, type Mode, versionText } from './policy.ts';

/** Beyond this an unborn version is `future`, so that labels of namespaces make no endless metrics. */
const knownMinorMax = 36;

/** Upstream's metrics of pod security. */
export class PodSecurityMetrics {
  readonly #evaluations: Counter;
  readonly #exemptions: Counter;

  constructor(metrics: MetricsRegistry) {
    this.#evaluations = metrics.counter(
      'pod_security_evaluations_total',
      'Policy evaluations of pods, by level, version, mode and decision.',
    );
    this.#exemptions = metrics.counter(
      'pod_security_exemptions_total',
      'Requests that pod security did not look at, by the administrator’s word.',
    );
  }

  evaluated(
    request: AdmissionRequest,
    { mode, policy, isAllowed }: { mode: Mode; policy: LevelVersion; isAllowed: boolean },
  ): void {
    const isKnown = policy.minor <= knownMinorMax || policy.minor === Number.POSITIVE_INFINITY;
    this.#evaluations.add(1, {
      ...labelsOf(request),
      ...{ decision: isAllowed ? 'allow' : 'deny', mode, policy_level: policy.level },
      policy_version: isKnown ? versionText(policy.minor) : 'future',
    });
  }

  exempted(request: AdmissionRequest): void {
    this.#exemptions.add(1, labelsOf(request));
  }
}

function labelsOf({ operation, resource, subresource }: AdmissionRequest) {
  const isPod = resource.group === '' && resource.plural === 'pods';
  return {
    request_operation: operation.toLowerCase(),
    resource: isPod ? 'pod' : 'controller',
    subresource,
  };
}
