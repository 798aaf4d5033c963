import type { MetricsRegistry } from '@wherry/telemetry';

const methods = [
  ['list', 'List'],
  ['get', 'Get'],
  ['get_allocatable', 'GetAllocatableResources'],
] as const;

/** What of the pod-resources API is called, as upstream's families call it. */
export type PodResourcesMethod = (typeof methods)[number][0];

/** What is counted of the pod-resources API. */
export interface PodResourcesFigures {
  asked(method: PodResourcesMethod): void;
  failed(method: PodResourcesMethod): void;
  /** The list of the version before, which has no families of its own. */
  askedOfOld(): void;
}

const labels = { server_api_version: 'v1' };
const labelsOfOld = { server_api_version: 'v1alpha1' };

/** Calls together and by method, and those that failed by method: a family each, as upstream. */
export function podResourcesFigures(metrics: MetricsRegistry): PodResourcesFigures {
  const family = (name: string, help: string) =>
    metrics.counter(`kubelet_pod_resources_endpoint_${name}`, help);
  const total = family('requests_total', 'Calls of the pod-resources API.');
  const byMethod = new Map(
    methods.map(([method, name]) => [
      method,
      {
        asked: family(`requests_${method}`, `Calls of ${name} of the pod-resources API.`),
        failed: family(`errors_${method}`, `Calls of ${name} of the pod-resources API that failed.`),
      },
    ]),
  );
  return {
    asked(method) {
      total.add(1, labels);
      byMethod.get(method)?.asked.add(1, labels);
    },
    askedOfOld: () => total.add(1, labelsOfOld),
    failed: (method) => byMethod.get(method)?.failed.add(1, labels),
  };
}
