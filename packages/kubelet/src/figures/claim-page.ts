import { podClaims } from '@wherry/podrules';
import { MetricsPage } from '@wherry/telemetry';
import type { FilesystemFigures } from './node-figures.ts';
import type { PodFigures } from './pod-figures.ts';

/** A pod, and the file systems that its volumes have, by name. */
export interface PodFilesystems {
  pod: Pick<PodFigures, 'namespace' | 'pod'>;
  mounted: ReadonlyMap<string, FilesystemFigures>;
}

/** What claims take, under the names that dashboards and alerts read (upstream: pkg/kubelet/metrics/collectors/volume_stats.go). */
export function claimPage(pods: readonly PodFilesystems[]): string {
  const page = new MetricsPage();
  const gauge = (name: string, help: string) => page.gauge(`kubelet_volume_stats_${name}`, help);
  const capacity = gauge('capacity_bytes', 'Capacity in bytes of the volume');
  const available = gauge('available_bytes', 'Number of available bytes in the volume');
  const used = gauge('used_bytes', 'Number of used bytes in the volume');
  const inodes = gauge('inodes', 'Maximum number of inodes in the volume');
  const inodesFree = gauge('inodes_free', 'Number of free inodes in the volume');
  const inodesUsed = gauge('inodes_used', 'Number of used inodes in the volume');
  const told = new Set<string>();
  for (const { pod, mounted } of pods) {
    if (!pod.pod) continue;
    for (const { volume, claimName } of podClaims(pod.pod)) {
      const figures = mounted.get(volume.name);
      const key = `${pod.namespace}/${claimName}`;
      if (!figures || told.has(key)) continue;
      told.add(key);
      const labels = { namespace: pod.namespace, persistentvolumeclaim: claimName };
      capacity(figures.capacityBytes, labels);
      available(figures.availableBytes, labels);
      used(figures.usedBytes, labels);
      inodes(figures.inodes, labels);
      inodesFree(figures.inodesFree, labels);
      inodesUsed(figures.inodes - figures.inodesFree, labels);
    }
  }
  return page.render();
}
