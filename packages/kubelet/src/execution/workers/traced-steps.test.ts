import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  noTracer,
  type Span,
  type SpanContext,
  type SpanOptions,
  type Tracer,
  traceIdOf,
} from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import type { PodSteps } from './pod-worker.ts';
import { tracedSteps } from './traced-steps.ts';

interface Begun {
  name: string;
  options: SpanOptions;
  error?: unknown;
}

/** A tracer that notes what begins. */
function noted() {
  const begun: Begun[] = [];
  const begin = (name: string, options: SpanOptions = {}): Span => {
    const entry: Begun = { name, options };
    begun.push(entry);
    return {
      context: undefined,
      set() {},
      end(error) {
        if (error !== undefined) entry.error = error;
      },
    };
  };
  const rootOf = (traceId: string | undefined): SpanContext | undefined =>
    traceId === undefined ? undefined : { traceId, spanId: traceId.slice(16), isSampled: true };
  const tracer: Tracer = {
    ...noTracer,
    isOn: true,
    begin,
    rootOf,
    async within(name, options, work) {
      const span = begin(name, options);
      try {
        return await work(span);
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
  };
  return { tracer, begun, rootOf };
}

const uid = '0af76519-16cd-43dd-8448-eb211c80319c';
const created = '2026-01-01T00:00:00Z';
const one = pod({ containers: [container('a')] }, { uid, creationTimestamp: created });
const { signal } = new AbortController();
const request = { graceSeconds: 1, verdict: undefined, isOrphan: false };
const idle = { isTerminal: false, didWork: false, retryAfterMs: 0 } as const;

function stepsThat(sync: PodSteps['sync']): PodSteps {
  return { sync, terminate: async () => {}, clear: async () => {} };
}

test('passes over a pod are below the root of its trace until it is ready, which ends that; later ones name it', async () => {
  const { tracer, begun, rootOf } = noted();
  let ready = false;
  let fails = true;
  const steps = tracedSteps({
    steps: stepsThat(async () => {
      if (fails) throw new Error('no image');
      return idle;
    }),
    tracer,
    isReady: () => ready,
  });
  const root = rootOf(traceIdOf(uid));
  await assert.rejects(steps.sync(one, signal), /no image/);
  fails = false;
  await steps.sync(one, signal);
  ready = true;
  await steps.sync(one, signal);
  await steps.sync(one, signal);
  await steps.terminate(one, request, signal);
  await steps.clear(one, request, signal);
  assert.deepEqual(
    begun.map(({ name, options: { parent, as, facts } }) => [
      name,
      facts?.['k8s.pod.update_type'],
      parent ?? as,
    ]),
    [
      ['syncPod', 'create', root],
      ['syncPod', 'sync', root],
      ['syncPod', 'sync', root],
      ['start pod', undefined, root],
      ['syncPod', 'sync', 'none'],
      ['syncTerminatingPod', 'kill', 'none'],
      ['syncTerminatedPod', 'kill', 'none'],
    ],
  );
  assert.equal(begun[0]?.error instanceof Error, true);
  assert.equal(begun[3]?.options.startMs, Date.parse(created));
  assert.deepEqual(begun[4]?.options.links, [root]);
});

test('the start of a pod that goes before it was ready ends, and says so', async () => {
  const { tracer, begun } = noted();
  const steps = tracedSteps({ steps: stepsThat(async () => idle), tracer, isReady: () => false });
  await steps.sync(one, signal);
  await steps.terminate(one, request, signal);
  assert.deepEqual(
    begun.map(({ name, error }) => [name, error]),
    [
      ['syncPod', undefined],
      ['start pod', 'deleted before it was ready'],
      ['syncTerminatingPod', undefined],
    ],
  );
});

test('a pod that an earlier kubelet started is not started once more', async () => {
  const { tracer, begun } = noted();
  const steps = tracedSteps({ steps: stepsThat(async () => idle), tracer, isReady: () => true });
  await steps.sync({ ...one, status: { phase: 'Running' } }, signal);
  assert.deepEqual(
    begun.map(({ name, options }) => [name, options.parent]),
    [['syncPod', 'none']],
  );
});

test('without a collector the steps are what they were', () => {
  const steps = stepsThat(async () => idle);
  assert.equal(tracedSteps({ steps, tracer: noTracer, isReady: () => true }), steps);
});
