import type { Clock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import type { MetricsRegistry } from '@wherry/telemetry';

/** Calls that are measured, and upstream's names for them (pkg/kubelet/kuberuntime/instrumented_services.go). */
export const measuredOperations: ReadonlyMap<string, string> = new Map([
  ['version', 'version'],
  ['status', 'status'],
  ['createContainer', 'create_container'],
  ['startContainer', 'start_container'],
  ['stopContainer', 'stop_container'],
  ['removeContainer', 'remove_container'],
  ['listContainers', 'list_containers'],
  ['containerStatus', 'container_status'],
  ['updateContainerResources', 'update_container'],
  ['reopenContainerLog', 'reopen_container_log'],
  ['execSync', 'exec_sync'],
  ['exec', 'exec'],
  ['attach', 'attach'],
  ['runPodSandbox', 'run_podsandbox'],
  ['stopPodSandbox', 'stop_podsandbox'],
  ['removePodSandbox', 'remove_podsandbox'],
  ['podSandboxStatus', 'podsandbox_status'],
  ['listPodSandbox', 'list_podsandbox'],
  ['containerStats', 'container_stats'],
  ['listContainerStats', 'list_container_stats'],
  ['podSandboxStats', 'podsandbox_stats'],
  ['listPodSandboxStats', 'list_podsandbox_stats'],
  ['portForward', 'port_forward'],
  ['updatePodSandboxResources', 'update_podsandbox_resources'],
  ['updateRuntimeConfig', 'update_runtime_config'],
  ['runtimeConfig', 'runtime_config'],
  ['checkpointContainer', 'checkpoint_container'],
  ['listImages', 'list_images'],
  ['imageStatus', 'image_status'],
  ['pullImage', 'pull_image'],
  ['removeImage', 'remove_image'],
  ['imageFsInfo', 'image_fs_info'],
]);

/** Upper bounds that upstream's client library takes where none are named. */
export const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const operationBuckets = Array.from({ length: 14 }, (_, power) => 0.005 * 2.5 ** power);

type Call = (request?: object, options?: object) => Promise<unknown>;

/** The same client, whose calls are counted and timed under upstream's names. */
export function measuredRuntime(cri: CriClient, metrics: MetricsRegistry, clock: Clock): CriClient {
  const figures = operationFigures(metrics);
  const watched = <Service extends object>(service: Service): Service =>
    Object.fromEntries(
      Object.entries(service).map(([name, call]) => {
        const operation = measuredOperations.get(name);
        return [name, operation ? figures.watch(operation, call as Call, clock) : call];
      }),
    ) as Service;
  return { ...cri, runtime: watched(cri.runtime), images: watched(cri.images) };
}

function operationFigures(metrics: MetricsRegistry) {
  const total = metrics.counter(
    'kubelet_runtime_operations_total',
    'Calls of the container runtime, by operation.',
  );
  const errors = metrics.counter(
    'kubelet_runtime_operations_errors_total',
    'Calls of the container runtime that failed, by operation.',
  );
  const duration = metrics.histogram(
    'kubelet_runtime_operations_duration_seconds',
    'Seconds that calls of the container runtime took, by operation.',
    operationBuckets,
  );
  const sandboxErrors = metrics.counter(
    'kubelet_run_podsandbox_errors_total',
    'Sandboxes that could not be made, by the handler of their runtime class.',
  );
  const sandboxDuration = metrics.histogram(
    'kubelet_run_podsandbox_duration_seconds',
    'Seconds that making a sandbox took, by the handler of its runtime class.',
    defaultBuckets,
  );
  const watch =
    (operation: string, call: Call, clock: Clock): Call =>
    async (request, options) => {
      const labels = { operation_type: operation };
      const { runtimeHandler = '' } = (request ?? {}) as { runtimeHandler?: string };
      const handler = operation === 'run_podsandbox' ? { runtime_handler: runtimeHandler } : undefined;
      const startedMs = clock.monotonicMs();
      total.add(1, labels);
      try {
        return await call(request, options);
      } catch (error) {
        errors.add(1, labels);
        if (handler) sandboxErrors.add(1, handler);
        throw error;
      } finally {
        const seconds = (clock.monotonicMs() - startedMs) / 1_000;
        duration.observe(seconds, labels);
        if (handler) sandboxDuration.observe(seconds, handler);
      }
    };
  return { watch };
}
