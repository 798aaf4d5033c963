import type { ContainerMetrics, Input, MetricDescriptor, PodSandboxMetrics } from '@wherry/cri';
import { type CgroupLayout, foldersAt, groupPathOf, processesOf } from '@wherry/linux';
import type { MonitorClient } from '@wherry/monitor-api';
import type { Container } from '../../container/container-record.ts';
import type { ContainerStore } from '../../container/container-store.ts';
import type { Sandbox } from '../../sandbox/sandbox-record.ts';
import type { SandboxStore } from '../../sandbox/sandbox-store.ts';
import { type CgroupDriver, podGroupPath } from '../../spec/cgroup-path.ts';
import type { NanosecondClock } from '../../state/nanosecond-clock.ts';
import { inTurns } from '../in-turns.ts';
import { readInterfaces } from '../network-stats.ts';
import type { StatsService } from '../stats-service.ts';
import { type BaseLabels, familyDescriptors, Samples } from './families.ts';
import { type FileSystemFigures, fileSystemOf } from './file-system.ts';
import { addGroup, addInterfaces } from './group-metrics.ts';
import { logMetricDescriptors, logMetrics } from './log-metrics.ts';
import { addProcesses } from './process-metrics.ts';

/** What the metrics are read from. */
export interface PodMetricsOptions {
  containers: ContainerStore;
  sandboxes: SandboxStore;
  stats: StatsService;
  monitor: MonitorClient;
  layout: CgroupLayout;
  cgroupDriver: CgroupDriver;
  clock: NanosecondClock;
}

const nsPerSecond = 1e9;

/** Every metric that there is, as CRI describes them; it never changes. */
export const metricDescriptors: Input<MetricDescriptor>[] = [...familyDescriptors, ...logMetricDescriptors];

/**
 * The metrics of ready pods and their running containers: those of cAdvisor, read from the kernel now, and what logs lost.
 * Throws `RuntimeError` UNAVAILABLE without a monitor.
 */
export async function podMetrics(options: PodMetricsOptions): Promise<Input<PodSandboxMetrics>[]> {
  const { sandboxes, containers } = options;
  const lost = await logMetrics(options);
  const ofContainer = new Map(
    lost.flatMap(({ containerMetrics = [] }) =>
      containerMetrics.map(({ containerId = '', metrics = [] }) => [containerId, metrics] as const),
    ),
  );
  const fileSystem = fileSystemOf(containers.folder.root);
  return inTurns(sandboxes.list(), async (sandbox) => ({
    podSandboxId: sandbox.id,
    metrics: sandbox.ready ? ofPod(sandbox, options) : [],
    containerMetrics: await inTurns(containers.ofSandbox(sandbox.id), async (container) => {
      const own = await metricsOf(container, sandbox, fileSystem, options);
      const metrics = [...(own.metrics ?? []), ...(ofContainer.get(container.id) ?? [])];
      return { containerId: container.id, metrics };
    }),
  }));
}

/** A pod's network, and its control group where it has one of its own. */
function ofPod({ id, config, namespaces }: Sandbox, { layout, cgroupDriver }: PodMetricsOptions) {
  const { name: pod = '', namespace = '' } = config.metadata ?? {};
  const parent = podGroupPath(config.linux?.cgroupParent ?? '', cgroupDriver);
  const labels = { container: '', id: parent || id, image: '', name: '', namespace, pod };
  const samples = new Samples(labels);
  if (parent !== '') addGroup(samples, foldersAt(layout, parent));
  addInterfaces(samples, readInterfaces(namespaces.net));
  return samples.list;
}

async function metricsOf(
  container: Container,
  sandbox: Sandbox,
  fileSystem: FileSystemFigures,
  { layout, stats, clock }: PodMetricsOptions,
): Promise<Input<ContainerMetrics>> {
  const { id: containerId, state, startedAtNs, pid, cgroupsPath } = container;
  const samples = new Samples(labelsOf(container, sandbox));
  const folders = foldersAt(layout, groupPathOf(cgroupsPath));
  if (state !== 'running' || !addGroup(samples, folders)) return { containerId, metrics: [] };
  addProcesses(samples, processesOf(folders), pid);
  samples.add('container_last_seen', Number(clock.now()) / nsPerSecond);
  samples.add('container_start_time_seconds', Number(startedAtNs) / nsPerSecond);
  const { device, capacityBytes, inodes, inodesFree } = fileSystem;
  samples.add('container_fs_usage_bytes', await stats.layerBytes(containerId), device);
  samples.add('container_fs_limit_bytes', capacityBytes, device);
  samples.add('container_fs_inodes_total', inodes, device);
  samples.add('container_fs_inodes_free', inodesFree, device);
  return { containerId, metrics: samples.list };
}

function labelsOf({ id, config, cgroupsPath }: Container, { config: pod }: Sandbox): BaseLabels {
  const { name = '', namespace = '' } = pod.metadata ?? {};
  const image = config.image?.userSpecifiedImage || config.image?.image || '';
  const container = config.metadata?.name ?? '';
  return { container, id: groupPathOf(cgroupsPath), image, name: id, namespace, pod: name };
}
