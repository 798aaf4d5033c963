import { processesOf } from '@wherry/linux';
import type { MachineInfo } from '../../ground/machine-info.ts';
import type { FilesystemFigures, NodeFigures } from '../node-figures.ts';
import type { ContainerFigures, PodFigures } from '../pod-figures.ts';
import type { GroupFigures, PodGroupFigures } from '../pod-groups.ts';
import { groupLabels, Samples } from './families.ts';
import { groupSamples } from './group-samples.ts';
import { interfaceSamples } from './interface-samples.ts';
import { machineSamples } from './machine-samples.ts';

/** What the page is made of. */
export interface CadvisorParts {
  machine: MachineInfo;
  node: NodeFigures;
  /** The node's file system. */
  filesystem: FilesystemFigures | undefined;
  /** That of images and containers' own files. */
  images: FilesystemFigures | undefined;
  /** The group above all pods. */
  all: GroupFigures | undefined;
  pods: readonly PodFigures[];
  /** Groups of pods by UID. Of a pod without one there is its disk alone. */
  groups: ReadonlyMap<string, PodGroupFigures>;
}

/**
 * `/metrics/cadvisor`: the families of cAdvisor that dashboards and alerts read, with the labels that it has below a CRI
 * runtime (upstream: google/cadvisor metrics/prometheus.go, pkg/kubelet/server/server.go).
 */
export function cadvisorPage(parts: CadvisorParts): string {
  const { machine, node, filesystem, images, all, pods, groups } = parts;
  const { atMs } = node;
  const samples = new Samples(atMs);
  machineSamples(samples, machine, node, filesystem);
  if (all) groupSamples(samples, groupLabels({ id: all.path }), all, { atMs });
  for (const figures of pods) {
    const group = groups.get(figures.uid);
    if (group) podSamples(samples, figures, group, atMs);
    for (const container of figures.containers) {
      containerSamples(samples, {
        figures,
        container,
        group: group?.containers.get(container.id),
        images,
        atMs,
      });
    }
  }
  return samples.page.render();
}

function podSamples(samples: Samples, figures: PodFigures, group: PodGroupFigures, atMs: number): void {
  const { name: pod, namespace, startedAtNs, pod: wanted } = figures;
  const labels = groupLabels({ id: group.pod.path, pod, namespace });
  groupSamples(samples, labels, group.pod, { atMs, startedAtNs });
  // A pod in the node's network has no interfaces of its own.
  if (!wanted?.spec.hostNetwork) interfaceSamples(samples, labels, group.interfaces);
}

interface ContainerParts {
  figures: PodFigures;
  container: ContainerFigures;
  group: GroupFigures | undefined;
  images: FilesystemFigures | undefined;
  atMs: number;
}

function containerSamples(
  samples: Samples,
  { figures, container, group, images, atMs }: ContainerParts,
): void {
  const { name: pod, namespace } = figures;
  const { id, name, status, stats } = container;
  const image = status?.image?.userSpecifiedImage || status?.image?.image || status?.imageRef || '';
  const labels = groupLabels({ id: group?.path ?? id, container: name, image, name: id, namespace, pod });
  if (group) {
    const pids = processesOf(group.folders);
    groupSamples(samples, labels, group, { atMs, startedAtNs: status?.startedAt, pids });
  }
  const { usedBytes } = stats.writableLayer ?? {};
  if (!usedBytes || !images) return;
  const onDevice = { ...labels, device: images.device };
  samples.add('container_fs_usage_bytes', usedBytes.value, onDevice);
  samples.add('container_fs_limit_bytes', images.capacityBytes, onDevice);
}
