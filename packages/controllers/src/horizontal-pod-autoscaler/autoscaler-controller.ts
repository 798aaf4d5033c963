import { isDeepStrictEqual } from 'node:util';
import { keyOf, kinds } from '@wherry/client';
import {
  type HorizontalPodAutoscaler,
  type HorizontalPodAutoscalerStatus,
  type MetricStatus,
  timeFromMs,
} from '@wherry/kubeapi/objects';
import type { ScaleAction } from '../figures/autoscaler-figures.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';
import { messageOf } from '../ownership/pod-writes.ts';
import { AutoscalerConditions } from './autoscaler-conditions.ts';
import { MetricError } from './metrics/metric-error.ts';
import { proposalOf } from './metrics/metric-proposal.ts';
import { type MetricProposal, type MetricScene, toleranceOf } from './metrics/metric-scene.ts';
import { CustomMetrics } from './metrics-api/custom-metrics.ts';
import { externalMetric } from './metrics-api/external-metrics.ts';
import { ScaleHistory } from './scale-history.ts';
import { findTarget, rescale, type ScaleTarget } from './scale-target.ts';
import { decide } from './scaling-rules.ts';
import { type ChosenPods, TargetSelectors } from './target-selectors.ts';

const watches = {
  autoscalers: { type: kinds.horizontalPodAutoscalers },
  pods: { type: kinds.pods },
};
type Context = ControllerContext<typeof watches>;

/** Changes the number of replicas of whatever can be scaled by what its pods take. */
export const horizontalPodAutoscaler = defineController({
  name: 'horizontal-pod-autoscaler-controller',
  account: 'horizontal-pod-autoscaler',
  watches,
  writes: ['horizontalpodautoscalers/status', '*/scale', 'events'],
  build: (context) => new AutoscalerController(context),
});

/** One look at an autoscaler. */
interface Look {
  key: string;
  autoscaler: HorizontalPodAutoscaler;
  conditions: AutoscalerConditions;
  nowMs: number;
  signal: AbortSignal;
  /** What it came to. */
  action: ScaleAction;
}

/** What the metrics ask for: the most, or why they ask for nothing. `statuses` are in the order of the metrics. */
type Proposed = { statuses: MetricStatus[] } & (
  | { best: MetricProposal; failure?: undefined }
  | { best: undefined; failure: string }
);

class AutoscalerController implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #recorder: EventRecorder;
  readonly #histories = new Map<string, ScaleHistory>();
  readonly #selectors: TargetSelectors;
  readonly #custom: CustomMetrics;
  readonly keysOf: Reconciler<typeof watches>['keysOf'] = {
    // What this controller writes itself is no reason to look again.
    autoscalers: (autoscaler, change, previous) =>
      change === 'updated' && isDeepStrictEqual(autoscaler.spec, previous?.spec) ? [] : [keyOf(autoscaler)],
  };

  constructor(context: Context) {
    const { client, clock, logger } = context.cluster;
    this.#context = context;
    this.#custom = new CustomMetrics(context.cluster);
    this.#selectors = new TargetSelectors(() => context.informers.pods.objects.values());
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'horizontal-pod-autoscaler' });
    // Begins to ask which kinds there are, before the first target is looked for.
    void context.cluster.served;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { informers, cluster, queue } = this.#context;
    const autoscaler = informers.autoscalers.objects.get(key);
    const figures = cluster.figures?.manager?.autoscaler;
    figures?.thereAre(informers.autoscalers.objects.size);
    if (!autoscaler) {
      this.#histories.delete(key);
      this.#selectors.forget(key);
      const [namespace = '', name = ''] = key.split('/');
      figures?.forgets(namespace, name);
      return;
    }
    const nowMs = cluster.clock.nowMs();
    const conditions = new AutoscalerConditions(autoscaler.status?.conditions, nowMs);
    try {
      const look: Look = { key, autoscaler, conditions, nowMs, signal, action: 'none' };
      const work = async () => {
        await this.#look(look);
        return look.action;
      };
      await (figures ? figures.timed(work) : work());
    } finally {
      queue.addAfter(key, cluster.autoscaling.periodMs);
    }
  }

  async #look(look: Look): Promise<void> {
    const { autoscaler, conditions } = look;
    const target = await findTarget(this.#context.cluster, autoscaler, look.signal).catch(
      (error: unknown) => {
        look.signal.throwIfAborted();
        this.#warn(autoscaler, 'FailedGetScale', messageOf(error));
        const message = `the HPA controller was unable to get the target's current scale: ${messageOf(error)}`;
        conditions.set('AbleToScale', false, 'FailedGetScale', message);
      },
    );
    if (!target) return this.#store(look, {});
    const { current } = target;
    const ableMessage = "the HPA controller was able to get the target's current scale";
    conditions.set('AbleToScale', true, 'SucceededGetScale', ableMessage);
    const history = this.#histories.get(look.key) ?? new ScaleHistory();
    this.#histories.set(look.key, history);
    if (history.isNew) history.recommended(current, look.nowMs);
    const { minReplicas: min = 1, maxReplicas: max } = autoscaler.spec;
    if (current === 0) {
      const message = 'scaling is disabled since the replica count of the target is zero';
      conditions.set('ScalingActive', false, 'ScalingDisabled', message);
      return this.#store(look, { currentReplicas: 0, desiredReplicas: 0, currentMetrics: [] });
    }
    if (current > max) {
      const reason = 'Current number of replicas above Spec.MaxReplicas';
      return this.#scale(look, target, { replicas: max, reason, statuses: [] });
    }
    if (current < min) {
      const reason = 'Current number of replicas below Spec.MinReplicas';
      return this.#scale(look, target, { replicas: min, reason, statuses: [] });
    }
    await this.#scaleByMetrics(look, target, history);
  }

  async #scaleByMetrics(look: Look, target: ScaleTarget, history: ScaleHistory): Promise<void> {
    const { autoscaler, conditions, nowMs } = look;
    const { current } = target;
    const { statuses, best, failure } = await this.#proposals(look, target);
    if (!best) {
      await this.#store(look, { currentReplicas: current, currentMetrics: statuses });
      this.#warn(autoscaler, 'FailedComputeMetricsReplicas', failure);
      return;
    }
    const { minReplicas: min = 1, maxReplicas: max, behavior } = autoscaler.spec;
    const desired = Math.max(0, best.replicas);
    const { replicas, able, limited } = decide({
      ...{ current, desired, bounds: { min, max }, behavior, history, nowMs },
      downscaleStabilizationMs: this.#context.cluster.autoscaling.downscaleStabilizationMs,
    });
    conditions.set('AbleToScale', true, able.reason, able.message);
    conditions.set('ScalingLimited', limited.isLimit, limited.reason, limited.message);
    if (replicas === current)
      return this.#store(look, {
        ...{ currentReplicas: current, desiredReplicas: replicas, currentMetrics: statuses },
      });
    const reason = desired > current ? `${best.name} above target` : 'All metrics below target';
    await this.#scale(look, target, { replicas, reason, statuses });
  }

  /** What each metric asks for; the most counts. Where some could not be told, the target does not shrink. */
  async #proposals(look: Look, target: ScaleTarget): Promise<Proposed> {
    const { autoscaler, conditions, signal } = look;
    const { metrics: specs = [] } = autoscaler.spec;
    const chosen = this.#selectors.choose(look.key, target.scale.status?.selector ?? '');
    if ('condition' in chosen) {
      const { condition, event } = chosen;
      this.#warn(autoscaler, event.reason, event.message);
      conditions.set('ScalingActive', false, condition.reason, condition.message);
      return { statuses: [], best: undefined, failure: event.message };
    }
    const scene = this.#scene(look, target, chosen);
    const statuses: MetricStatus[] = [];
    const failures: MetricError[] = [];
    let best: MetricProposal | undefined;
    for (const spec of specs) {
      try {
        const proposal = await proposalOf(spec, scene);
        statuses.push(proposal.status);
        if (!best?.replicas || proposal.replicas > best.replicas) best = proposal;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof MetricError)) throw error;
        failures.push(error);
        // Its place stays: who shows them goes by the order of the metrics that are wanted.
        statuses.push({ type: '' });
        this.#warn(autoscaler, error.reason, error.message);
      }
    }
    const [failure] = failures;
    if (best && !(failure && best.replicas < target.current)) {
      const message = `the HPA was able to successfully calculate a replica count from ${best.name}`;
      conditions.set('ScalingActive', true, 'ValidMetricFound', message);
      return { statuses, best };
    }
    const why = failure?.message ?? 'there are no metrics';
    const message = `the HPA was unable to compute the replica count: ${why}`;
    conditions.set('ScalingActive', false, failure?.reason ?? 'InvalidMetricSourceType', message);
    const counts = `${failures.length} invalid out of ${specs.length}`;
    const summary = `invalid metrics (${counts}), first error is: ${failure?.summary ?? why}`;
    return { statuses, best: undefined, failure: summary };
  }

  #scene(look: Look, { current, present }: ScaleTarget, { pods, text }: ChosenPods): MetricScene {
    const { autoscaler, nowMs, signal } = look;
    const { namespace = '' } = autoscaler.metadata;
    const { cluster } = this.#context;
    const podMetrics = cluster.client.resource(kinds.podMetrics);
    let listed: ReturnType<typeof podMetrics.list> | undefined;
    return {
      ...{ namespace, current, present, pods, podSelector: text, nowMs, signal },
      tolerance: toleranceOf(autoscaler, cluster.autoscaling.tolerance),
      starting: cluster.autoscaling,
      podMetrics: async () => {
        listed ??= podMetrics.list({ namespace, labelSelector: text, signal });
        return (await listed).items;
      },
      custom: this.#custom,
      external: (query) => externalMetric(cluster, query),
    };
  }

  async #scale(
    look: Look,
    target: ScaleTarget,
    { replicas, reason, statuses }: { replicas: number; reason: string; statuses: MetricStatus[] },
  ): Promise<void> {
    const { autoscaler, conditions, nowMs, signal } = look;
    const { client } = this.#context.cluster;
    const status = { currentReplicas: target.current, currentMetrics: statuses };
    try {
      await rescale(client, target, replicas, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#warn(
        autoscaler,
        'FailedRescale',
        `New size: ${replicas}; reason: ${reason}; error: ${messageOf(error)}`,
      );
      const message = `the HPA controller was unable to update the target scale: ${messageOf(error)}`;
      conditions.set('AbleToScale', false, 'FailedUpdateScale', message);
      return this.#store(look, status);
    }
    this.#histories.get(look.key)?.scaled(replicas - target.current, nowMs);
    look.action = replicas > target.current ? 'scale_up' : 'scale_down';
    const message = `the HPA controller was able to update the target scale to ${replicas}`;
    conditions.set('AbleToScale', true, 'SucceededRescale', message);
    this.#recorder.recordOf(kinds.horizontalPodAutoscalers, autoscaler, {
      ...{ type: 'Normal', reason: 'SuccessfulRescale', message: `New size: ${replicas}; reason: ${reason}` },
    });
    await this.#store(look, { ...status, desiredReplicas: replicas, lastScaleTime: timeFromMs(nowMs) });
  }

  async #store(
    { autoscaler, conditions, signal }: Look,
    changes: Partial<HorizontalPodAutoscalerStatus>,
  ): Promise<void> {
    const before = autoscaler.status;
    const { namespace = '', name = '' } = autoscaler.metadata;
    const { desiredReplicas } = changes;
    if (desiredReplicas !== undefined)
      this.#context.cluster.figures?.manager?.autoscaler.wants(namespace, name, desiredReplicas);
    const status: HorizontalPodAutoscalerStatus = {
      ...before,
      desiredReplicas: before?.desiredReplicas ?? 0,
      ...changes,
      conditions: conditions.list,
    };
    if (isDeepStrictEqual(status, before)) return;
    const resource = this.#context.cluster.client.resource(kinds.horizontalPodAutoscalers);
    try {
      await resource.update({ ...autoscaler, status }, { subresource: 'status', signal });
    } catch (error) {
      signal.throwIfAborted();
      this.#warn(autoscaler, 'FailedUpdateStatus', messageOf(error));
      throw error;
    }
  }

  #warn(autoscaler: HorizontalPodAutoscaler, reason: string, message: string): void {
    this.#recorder.recordOf(kinds.horizontalPodAutoscalers, autoscaler, { type: 'Warning', reason, message });
  }
}
