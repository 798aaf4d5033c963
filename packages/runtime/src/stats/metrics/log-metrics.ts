import { type Input, type MetricDescriptor, MetricType, type PodSandboxMetrics } from '@wherry/cri';
import type { MonitorClient } from '@wherry/monitor-api';
import type { ContainerStore } from '../../container/container-store.ts';
import type { SandboxStore } from '../../sandbox/sandbox-store.ts';
import type { NanosecondClock } from '../../state/nanosecond-clock.ts';

/** What every metric of a container is told with, in this order. */
const labelKeys = ['id', 'name', 'pod', 'namespace'];

const counters = {
  container_log_lost_bytes_total:
    'Bytes of output that could not be written to the log of a running container.',
  container_log_write_errors_total: 'Writes to the log of a running container that failed.',
} as const;

/** The metrics that there are, as CRI describes them. */
export const logMetricDescriptors: Input<MetricDescriptor>[] = Object.entries(counters).map(
  ([name, help]) => ({ name, help, labelKeys }),
);

/** What the logs of running containers lost, by pod. Throws `RuntimeError` UNAVAILABLE without a monitor. */
export async function logMetrics(options: {
  monitor: MonitorClient;
  containers: ContainerStore;
  sandboxes: SandboxStore;
  clock: NanosecondClock;
}): Promise<Input<PodSandboxMetrics>[]> {
  const { monitor, containers, sandboxes, clock } = options;
  const list = await monitor.call('container.list', {});
  const timestamp = clock.now();
  const statuses = new Map(list.containers.map((status) => [status.id, status]));
  return sandboxes.list().map(({ id: podSandboxId, config: { metadata } }) => ({
    podSandboxId,
    containerMetrics: containers.ofSandbox(podSandboxId).flatMap(({ id, config }) => {
      const status = statuses.get(id);
      if (!status) return [];
      const labelValues = [id, config.metadata?.name, metadata?.name, metadata?.namespace].map(
        (value) => value ?? '',
      );
      const counter = (name: keyof typeof counters, value: number) => ({
        ...{ name, timestamp, labelValues },
        metricType: MetricType.COUNTER,
        value: { value },
      });
      const metrics = [
        counter('container_log_lost_bytes_total', status.lostLogBytes),
        counter('container_log_write_errors_total', status.logWriteErrors),
      ];
      return [{ containerId: id, metrics }];
    }),
  }));
}
