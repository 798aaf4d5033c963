import { isFinished } from '@wherry/podrules';
import type { MetricsRegistry } from '@wherry/telemetry';
import { countStates } from '../observation/runtime-snapshot.ts';
import { isStaticPod } from '../pod/assigned-pod.ts';
import type { Rooms } from '../rooms.ts';
import { countWorkingPods } from './working-pods.ts';

const states = ['desired_state_of_world', 'actual_state_of_world'] as const;

/** How many pods and containers there are, counted when they are asked for; names and labels are upstream's. */
export class PodGauges {
  readonly #rooms: Rooms;
  readonly #gauges: ReturnType<typeof createGauges>;
  /** Those of the last count. */
  #plugIns: readonly string[] = [];

  constructor(rooms: Rooms) {
    const { metrics, nodeName, traits } = rooms.ground;
    this.#rooms = rooms;
    this.#gauges = createGauges(metrics);
    metrics.gauge('kubelet_node_name', "The node's name. The count is always 1.").set(1, { node: nodeName });
    metrics
      .gauge('kubelet_cgroup_version', 'Version of control groups that this machine has.')
      .set(traits.cgroupVersion === 'v2' ? 2 : 1);
  }

  /** Counts anew. */
  measure(): void {
    const { board, execution, observation } = this.#rooms;
    const gauges = this.#gauges;
    const pods = [...board.store.pods];
    for (const isStatic of [true, false]) {
      const labels = { static: isStatic ? 'true' : '' };
      const own = pods.filter((pod) => isStaticPod(pod) === isStatic);
      gauges.desired.set(own.length, labels);
      const active = own.filter(
        (pod) => !isFinished(pod) && board.phases.of(pod.metadata.uid) !== 'finished',
      );
      gauges.active.set(active.length, labels);
    }
    countWorkingPods(gauges.working, execution.workers.all, (uid) => board.store.get(uid) !== undefined);
    const ephemeral = pods.flatMap(({ spec }) => spec.ephemeralContainers ?? []);
    gauges.ephemeral.set(ephemeral.length);
    gauges.mirrors.set([...board.store.mirrors].length);
    const active = pods.filter(({ metadata }) => board.phases.of(metadata.uid) === 'syncing');
    const census = execution.volumes.census(active);
    for (const plugin_name of this.#plugIns)
      if (!census.has(plugin_name)) for (const state of states) gauges.volumes.forget({ plugin_name, state });
    this.#plugIns = [...census.keys()];
    for (const [plugin_name, { wanted, ready }] of census) {
      gauges.volumes.set(wanted, { plugin_name, state: states[0] });
      gauges.volumes.set(ready, { plugin_name, state: states[1] });
    }
    const held = countStates(observation.lifecycle.snapshot);
    gauges.pods.set(held.pods);
    for (const [name, count] of held.containers) gauges.containers.set(count, { container_state: name });
    const { pending, inProgress } = board.resizes.count();
    for (const reason of ['Deferred', 'Infeasible'])
      gauges.pending.set(pending.get(reason) ?? 0, { reason: reason.toLowerCase() });
    gauges.inProgress.set(inProgress);
  }
}

function createGauges(metrics: MetricsRegistry) {
  return {
    desired: metrics.gauge('kubelet_desired_pods', 'Pods this kubelet is told to run.'),
    active: metrics.gauge('kubelet_active_pods', 'Pods that count when others are admitted.'),
    working: metrics.gauge(
      'kubelet_working_pods',
      'Pods that have a worker, by how far they are, who names them and whether they are static.',
    ),
    ephemeral: metrics.gauge(
      'kubelet_managed_ephemeral_containers',
      'Ephemeral containers of the pods that this kubelet is told to run.',
    ),
    mirrors: metrics.gauge('kubelet_mirror_pods', 'Mirror pods known to this kubelet.'),
    pods: metrics.gauge('kubelet_running_pods', 'Pods whose sandbox stands.'),
    containers: metrics.gauge('kubelet_running_containers', 'Containers of the runtime, by state.'),
    volumes: metrics.gauge(
      'volume_manager_total_volumes',
      'Volumes that there should be, and that are in place.',
    ),
    pending: metrics.gauge('kubelet_pod_pending_resizes', 'Resizes that are not granted, by why.'),
    inProgress: metrics.gauge(
      'kubelet_pod_in_progress_resizes',
      'Resizes that were granted and are not in force yet.',
    ),
  };
}
