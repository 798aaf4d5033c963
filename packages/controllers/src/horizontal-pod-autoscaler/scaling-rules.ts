/** What becomes of a recommendation: by its past, and by how fast a target may change (podautoscaler/horizontal.go). */
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from '@wherry/kubeapi/objects';
import type { ScaleHistory } from './scale-history.ts';

/** A finding, as a condition tells it. */
export interface Finding {
  isLimit: boolean;
  reason: string;
  message: string;
}

/** What the target is brought to, and why. */
export interface Decision {
  replicas: number;
  able: Finding;
  limited: Finding;
}

/** Between which numbers a target may be. */
export interface ReplicaBounds {
  min: number;
  max: number;
}

const ready: Finding = {
  isLimit: false,
  reason: 'ReadyForNewScale',
  message: 'recommended size matches current size',
};
const withinRange: Finding = {
  isLimit: false,
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
};
const limitMessages = {
  ScaleUpLimit: 'the desired replica count is increasing faster than the maximum scale rate',
  ScaleDownLimit: 'the desired replica count is decreasing faster than the maximum scale rate',
  TooManyReplicas: 'the desired replica count is more than the maximum replica count',
  TooFewReplicas: 'the desired replica count is less than the minimum replica count',
} as const;
const limitedBy = (reason: keyof typeof limitMessages): Finding => ({
  ...{ isLimit: true, reason, message: limitMessages[reason] },
});
const stabilized = (grows: boolean): Finding => ({
  isLimit: false,
  reason: grows ? 'ScaleUpStabilized' : 'ScaleDownStabilized',
  message: grows
    ? 'recent recommendations were lower than current one, applying the lowest recent recommendation'
    : 'recent recommendations were higher than current one, applying the highest recent recommendation',
});

/** What to make of `desired`, which the history takes down. */
export function decide(options: {
  current: number;
  desired: number;
  bounds: ReplicaBounds;
  behavior: HorizontalPodAutoscalerBehavior | undefined;
  history: ScaleHistory;
  nowMs: number;
  downscaleStabilizationMs: number;
}): Decision {
  const { current, desired, behavior, history, nowMs, downscaleStabilizationMs } = options;
  const steady = stabilize(options);
  history.recommended(desired, nowMs);
  history.prune(Math.max(downscaleStabilizationMs, keptMs(behavior)), nowMs);
  const able = steady === desired ? ready : stabilized(behavior !== undefined && desired >= current);
  const { replicas, finding } = behavior
    ? limitByRules(steady, behavior, options)
    : limitByDefault(steady, options);
  return { replicas, able, limited: replicas === steady ? withinRange : finding };
}

type Options = Parameters<typeof decide>[0];
interface Limited {
  replicas: number;
  finding: Finding;
}

/** Recommendations of the near past hold it down, or up. */
function stabilize({ current, desired, behavior, history, nowMs, ...usual }: Options): number {
  const past = (windowMs: number) => history.since(windowMs, nowMs);
  if (!behavior) return Math.max(desired, ...past(usual.downscaleStabilizationMs));
  const low = Math.min(desired, ...past(windowMsOf(behavior.scaleUp, 0)));
  const high = Math.max(desired, ...past(windowMsOf(behavior.scaleDown, usual.downscaleStabilizationMs)));
  return Math.min(Math.max(current, low), high);
}

/** Without rules a target may double, or grow to four. */
function limitByDefault(steady: number, { current, bounds }: Options): Limited {
  const fastest = Math.max(2 * current, 4);
  const isRate = bounds.max > fastest;
  const most = Math.min(bounds.max, fastest);
  if (steady < bounds.min) return { replicas: bounds.min, finding: limitedBy('TooFewReplicas') };
  if (steady > most)
    return { replicas: most, finding: limitedBy(isRate ? 'ScaleUpLimit' : 'TooManyReplicas') };
  return { replicas: steady, finding: withinRange };
}

function limitByRules(steady: number, behavior: HorizontalPodAutoscalerBehavior, options: Options): Limited {
  const { current, bounds } = options;
  if (steady > current) {
    const fastest = Math.max(current, rateLimit(behavior.scaleUp, 'up', options));
    const most = Math.min(bounds.max, fastest);
    const reason = bounds.max > fastest ? 'ScaleUpLimit' : 'TooManyReplicas';
    return { replicas: Math.min(steady, most), finding: limitedBy(reason) };
  }
  if (steady < current) {
    const fastest = Math.min(current, rateLimit(behavior.scaleDown, 'down', options));
    const least = Math.max(bounds.min, fastest);
    const reason = bounds.min < fastest ? 'ScaleDownLimit' : 'TooFewReplicas';
    return { replicas: Math.max(steady, least), finding: limitedBy(reason) };
  }
  return { replicas: steady, finding: withinRange };
}

/** How far the rules let a target go from where it was when each of their periods began. */
function rateLimit(rules: HPAScalingRules | undefined, way: 'up' | 'down', options: Options): number {
  const { current, history, nowMs } = options;
  if (rules?.selectPolicy === 'Disabled') return current;
  const sign = way === 'up' ? 1 : -1;
  const reached = (rules?.policies ?? []).map(({ type, value, periodSeconds }) => {
    const start = current - history.growth(periodSeconds * 1_000, nowMs);
    if (type === 'Pods') return start + sign * value;
    const share = start * (1 + (sign * value) / 100);
    return way === 'up' ? Math.ceil(share) : Math.trunc(share);
  });
  if (reached.length === 0) return current;
  const takesMost = rules?.selectPolicy !== 'Min';
  return (way === 'up') === takesMost ? Math.max(...reached) : Math.min(...reached);
}

function windowMsOf(rules: HPAScalingRules | undefined, initialMs: number): number {
  return rules?.stabilizationWindowSeconds === undefined
    ? initialMs
    : rules.stabilizationWindowSeconds * 1_000;
}

/** How far back the rules look. */
function keptMs(behavior: HorizontalPodAutoscalerBehavior | undefined): number {
  const rules = [behavior?.scaleUp, behavior?.scaleDown];
  const periods = rules.flatMap((each) =>
    (each?.policies ?? []).map(({ periodSeconds }) => periodSeconds * 1_000),
  );
  return Math.max(0, ...rules.map((each) => windowMsOf(each, 0)), ...periods);
}
