import { MetricsPage } from '@wherry/telemetry';
import type { PodFigures } from './pod-figures.ts';

/** What the logs of a pod's containers take of the disk, by container. */
export interface PodLogs {
  pod: Pick<PodFigures, 'uid' | 'namespace' | 'name'>;
  bytes: ReadonlyMap<string, number>;
}

/** What logs take, under upstream's name (pkg/kubelet/metrics/collectors/log_metrics.go). */
export function logPage(pods: readonly PodLogs[]): string {
  const page = new MetricsPage();
  const used = page.gauge(
    'kubelet_container_log_filesystem_used_bytes',
    'Bytes that the log of the container takes, older files of it too',
  );
  for (const { pod, bytes } of pods)
    for (const [container, count] of bytes)
      used(count, { uid: pod.uid, namespace: pod.namespace, pod: pod.name, container });
  return page.render();
}
