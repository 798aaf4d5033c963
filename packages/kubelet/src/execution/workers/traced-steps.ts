import { isTerminalPhase } from '@wherry/podrules';
import { type SpanContext, type SpanFacts, type Tracer, traceIdOf } from '@wherry/telemetry';
import { type AssignedPod, describePod } from '../../pod/assigned-pod.ts';
import type { PodSteps } from './pod-worker.ts';

/** What the steps are traced with. */
export interface TracedStepsOptions {
  steps: PodSteps;
  tracer: Tracer;
  /** Whether the pod's status says that it is ready. */
  isReady(uid: string): boolean;
}

/**
 * The same steps, each a span under upstream's name. Those of a pod's start have one trace, which the pod's UID is the ID
 * of, so that the API server's spans of the pod's creation and its binding are in it too; its root ends when the pod is
 * ready. Each later step has a trace of its own, which names that one.
 */
export function tracedSteps({ steps, tracer, isReady }: TracedStepsOptions): PodSteps {
  if (!tracer.isOn) return steps;
  const known = new Set<string>();
  /** Roots of pods that are not ready yet. */
  const starts = new Map<string, SpanContext>();
  const endStart = (pod: AssignedPod, error?: string) => {
    const root = starts.get(pod.metadata.uid);
    if (!starts.delete(pod.metadata.uid)) return;
    const { creationTimestamp } = pod.metadata;
    const startMs = creationTimestamp ? Date.parse(creationTimestamp) : undefined;
    tracer.begin('start pod', { as: root, startMs, facts: factsOf(pod) }).end(error);
  };
  const above = ({ metadata: { uid } }: AssignedPod) => {
    const parent = starts.get(uid);
    return parent ? { parent } : { parent: 'none' as const, links: [tracer.rootOf(traceIdOf(uid))] };
  };
  const step = <T>(name: string, updateType: string, pod: AssignedPod, work: () => Promise<T>) => {
    const facts = { ...factsOf(pod), 'k8s.pod.update_type': updateType };
    return tracer.within(name, { ...above(pod), facts }, work);
  };
  return {
    async sync(pod, signal) {
      const { uid } = pod.metadata;
      const isFirst = !known.has(uid);
      if (isFirst) {
        known.add(uid);
        const root = tracer.rootOf(traceIdOf(uid));
        // One that ran before this kubelet did is not started by it.
        if (root && (pod.status?.phase ?? 'Pending') === 'Pending') starts.set(uid, root);
      }
      try {
        const outcome = await step('syncPod', isFirst ? 'create' : 'sync', pod, () =>
          steps.sync(pod, signal),
        );
        if (outcome.isTerminal) endStart(pod);
        return outcome;
      } finally {
        if (starts.has(uid) && isReady(uid)) endStart(pod);
      }
    },
    async terminate(pod, request, signal) {
      const wasReady = isTerminalPhase(request.verdict?.phase)
        ? 'ended before it was ready'
        : 'deleted before it was ready';
      endStart(pod, wasReady);
      await step('syncTerminatingPod', 'kill', pod, () => steps.terminate(pod, request, signal));
    },
    async clear(pod, request, signal) {
      await step('syncTerminatedPod', 'kill', pod, () => steps.clear(pod, request, signal));
      known.delete(pod.metadata.uid);
    },
  };
}

const factsOf = (pod: AssignedPod): SpanFacts => ({
  'k8s.pod.uid': pod.metadata.uid,
  'k8s.pod': describePod(pod),
  'k8s.pod.name': pod.metadata.name,
  'k8s.namespace.name': pod.metadata.namespace,
});
