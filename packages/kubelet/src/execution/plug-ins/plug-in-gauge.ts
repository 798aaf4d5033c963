import type { MetricsRegistry } from '@wherry/telemetry';
import type { PlugInWatcher } from './plug-in-watcher.ts';

/** Sockets of plug-ins that should be registered, and those that are: each is there once. */
export function plugInGauge(metrics: MetricsRegistry, plugIns: Pick<PlugInWatcher, 'sockets'>): void {
  let told: { socket_path: string; state: string }[] = [];
  const gauge = metrics.gauge(
    'plugin_manager_total_plugins',
    'Plug-ins whose sockets are there, and those that are registered, by socket.',
    () => {
      for (const labels of told) gauge.forget(labels);
      told = plugIns.sockets.flatMap(({ path, isRegistered }) =>
        ['desired_state_of_world', ...(isRegistered ? ['actual_state_of_world'] : [])].map((state) => ({
          socket_path: path,
          state,
        })),
      );
      for (const labels of told) gauge.set(1, labels);
    },
  );
}
