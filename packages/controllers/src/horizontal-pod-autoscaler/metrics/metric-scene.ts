import type { HorizontalPodAutoscaler, MetricStatus, Pod, PodMetrics } from '@wherry/kubeapi/objects';
import { parseQuantity, Quantity } from '@wherry/kubeapi/objects';
import type { CustomMetrics, MetricQuery } from '../metrics-api/custom-metrics.ts';
import type { MetricValue } from '../metrics-api/metric-values.ts';
import type { Tolerance } from '../replica-count.ts';
import type { StartingPods } from '../target-pods.ts';

/** What one metric asks for. */
export interface MetricProposal {
  replicas: number;
  /** As events and conditions call it. */
  name: string;
  status: MetricStatus;
}

/** What a metric is judged by. */
export interface MetricScene {
  namespace: string;
  /** Replicas that are asked for, and that the target says are there. */
  current: number;
  present: number;
  pods: readonly Pod[];
  /** What chose them. */
  podSelector: string;
  /** What they take; throws where the server does not tell. */
  podMetrics(): Promise<readonly PodMetrics[]>;
  custom: CustomMetrics;
  external(query: MetricQuery): Promise<MetricValue[]>;
  tolerance: Tolerance;
  starting: StartingPods;
  nowMs: number;
  signal: AbortSignal;
}

const nanosPerMilli = 1_000_000n;

/** Thousandths as a quantity; memory has binary suffixes. */
export function amountText(milli: bigint, resource = ''): string {
  return String(new Quantity(milli * nanosPerMilli, resource === 'memory' ? 'BinarySI' : 'DecimalSI'));
}

/** A quantity in thousandths. */
export const milliOf = (text: string): bigint => parseQuantity(text).milliValue();

/** By how much usage may miss its targets; `usual` where the autoscaler does not say. */
export function toleranceOf({ spec }: HorizontalPodAutoscaler, usual: number): Tolerance {
  const of = (text: string | undefined) => (text === undefined ? usual : parseQuantity(text).toNumber());
  return { up: of(spec.behavior?.scaleUp?.tolerance), down: of(spec.behavior?.scaleDown?.tolerance) };
}
