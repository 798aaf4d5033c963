import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HorizontalPodAutoscalerBehavior } from '@wherry/kubeapi';
import { ScaleHistory } from './scale-history.ts';
import { decide } from './scaling-rules.ts';

const second = 1_000;

/** A target that always takes the replicas decided on. */
class Target {
  readonly history = new ScaleHistory();
  readonly bounds: { min: number; max: number };
  readonly behavior: HorizontalPodAutoscalerBehavior | undefined;
  current: number;

  constructor(
    current: number,
    bounds: { min: number; max: number },
    behavior?: HorizontalPodAutoscalerBehavior,
  ) {
    this.current = current;
    this.bounds = bounds;
    this.behavior = behavior;
    this.history.recommended(current, 0);
  }

  /** What is decided at that second for that recommendation, and why. */
  at(seconds: number, desired: number): [replicas: number, able: string, limited: string] {
    const { history, bounds, behavior, current } = this;
    const nowMs = seconds * second;
    const decision = decide({
      ...{ current, desired, bounds, behavior, history, nowMs },
      downscaleStabilizationMs: 300 * second,
    });
    if (decision.replicas !== current) history.scaled(decision.replicas - current, nowMs);
    this.current = decision.replicas;
    return [decision.replicas, decision.able.reason, decision.limited.reason];
  }
}

const rules = (up: object, down: object = {}): HorizontalPodAutoscalerBehavior => ({
  scaleUp: { selectPolicy: 'Max', stabilizationWindowSeconds: 0, policies: [], ...up },
  scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }], ...down },
});

describe('an autoscaler without rules of its own', () => {
  test('doubles at most, from one to four, and stays between its bounds', () => {
    const target = new Target(1, { min: 1, max: 10 });
    assert.deepEqual(target.at(15, 20), [4, 'ReadyForNewScale', 'ScaleUpLimit']);
    assert.deepEqual(target.at(30, 20), [8, 'ReadyForNewScale', 'ScaleUpLimit']);
    assert.deepEqual(target.at(45, 20), [10, 'ReadyForNewScale', 'TooManyReplicas']);
    assert.deepEqual(target.at(60, 10), [10, 'ScaleDownStabilized', 'TooManyReplicas']);
  });

  test('shrinks to the highest recommendation of the last five minutes, and not below its least', () => {
    const target = new Target(8, { min: 2, max: 10 });
    assert.deepEqual(target.at(15, 3), [8, 'ScaleDownStabilized', 'DesiredWithinRange']);
    assert.deepEqual(target.at(200, 5), [8, 'ScaleDownStabilized', 'DesiredWithinRange']);
    assert.deepEqual(target.at(310, 1), [5, 'ScaleDownStabilized', 'DesiredWithinRange']);
    assert.deepEqual(target.at(501, 1), [2, 'ReadyForNewScale', 'TooFewReplicas']);
  });
});

describe('an autoscaler with rules', () => {
  test('grows by the policy that lets it most, or least, counted from the start of each period', () => {
    const policies = [
      { type: 'Pods', value: 4, periodSeconds: 60 },
      { type: 'Percent', value: 100, periodSeconds: 60 },
    ];
    const fast = new Target(2, { min: 1, max: 100 }, rules({ policies }));
    assert.deepEqual(fast.at(15, 50), [6, 'ReadyForNewScale', 'ScaleUpLimit']);
    assert.deepEqual(fast.at(30, 50), [6, 'ReadyForNewScale', 'ScaleUpLimit']);
    assert.deepEqual(fast.at(76, 50), [12, 'ReadyForNewScale', 'ScaleUpLimit']);
    const slow = new Target(2, { min: 1, max: 100 }, rules({ policies, selectPolicy: 'Min' }));
    assert.deepEqual(slow.at(15, 50), [4, 'ReadyForNewScale', 'ScaleUpLimit']);
  });

  test('shrinks by percent and pods, and not at all where that is disabled', () => {
    const half = {
      stabilizationWindowSeconds: 0,
      policies: [{ type: 'Percent', value: 50, periodSeconds: 60 }],
    };
    const target = new Target(10, { min: 1, max: 100 }, rules({}, half));
    assert.deepEqual(target.at(15, 1), [5, 'ReadyForNewScale', 'ScaleDownLimit']);
    assert.deepEqual(target.at(30, 1), [5, 'ReadyForNewScale', 'ScaleDownLimit']);
    assert.deepEqual(target.at(76, 1), [2, 'ReadyForNewScale', 'ScaleDownLimit']);
    const never = new Target(10, { min: 1, max: 100 }, rules({}, { ...half, selectPolicy: 'Disabled' }));
    assert.deepEqual(never.at(15, 1), [10, 'ReadyForNewScale', 'ScaleDownLimit']);
  });

  test('grows to the lowest recommendation of its window, and shrinks to the highest of the other', () => {
    const policies = [{ type: 'Pods', value: 100, periodSeconds: 15 }];
    const windows = rules({ stabilizationWindowSeconds: 60, policies }, { stabilizationWindowSeconds: 120 });
    const target = new Target(4, { min: 1, max: 100 }, windows);
    assert.deepEqual(target.at(15, 9), [4, 'ScaleUpStabilized', 'DesiredWithinRange']);
    assert.deepEqual(target.at(61, 7), [7, 'ReadyForNewScale', 'DesiredWithinRange']);
    assert.deepEqual(target.at(90, 2), [7, 'ScaleDownStabilized', 'DesiredWithinRange']);
    assert.deepEqual(target.at(140, 2), [7, 'ScaleDownStabilized', 'DesiredWithinRange']);
    assert.deepEqual(target.at(182, 2), [2, 'ReadyForNewScale', 'DesiredWithinRange']);
  });
});
