import { dirname, join } from 'node:path';
import type { AssignedPod } from '../pod/assigned-pod.ts';

/** Where the kubelet keeps what. */
export class NodePaths {
  readonly rootDir: string;
  readonly podLogsDir: string;

  constructor(options: { rootDir: string; podLogsDir: string }) {
    this.rootDir = options.rootDir;
    this.podLogsDir = options.podLogsDir;
  }

  get podsDir(): string {
    return join(this.rootDir, 'pods');
  }

  podDir(uid: string): string {
    return join(this.podsDir, uid);
  }

  /** The pod's volumes of one plug-in: `pods/<uid>/volumes/kubernetes.io~<plugin>`. */
  volumesDir(uid: string, plugin: string): string {
    return join(this.podDir(uid), 'volumes', `kubernetes.io~${plugin}`);
  }

  /** `pods/<uid>/volumes/kubernetes.io~<plugin>/<name>`. */
  volumeDir(uid: string, plugin: string, volume: string): string {
    return join(this.volumesDir(uid, plugin), volume);
  }

  /** What a plug-in notes about a volume: `pods/<uid>/plugins/kubernetes.io~<plugin>/<name>`. */
  volumeNotesDir(uid: string, plugin: string, volume: string): string {
    return join(this.podDir(uid), 'plugins', `kubernetes.io~${plugin}`, volume);
  }

  /** Where subPath mounts of one container are pinned. */
  subPathDir(uid: string, volume: string, container: string): string {
    return join(this.podDir(uid), 'volume-subpaths', volume, container);
  }

  etcHosts(uid: string): string {
    return join(this.podDir(uid), 'etc-hosts');
  }

  containersDir(uid: string): string {
    return join(this.podDir(uid), 'containers');
  }

  /** Folder of one container's termination message files. */
  containerDir(uid: string, container: string): string {
    return join(this.containersDir(uid), container);
  }

  /** The pod's log folder: `<namespace>_<name>_<uid>`. */
  podLogDir(pod: AssignedPod): string {
    const { namespace, name, uid } = pod.metadata;
    return join(this.podLogsDir, `${namespace}_${name}_${uid}`);
  }

  /** Where log collectors look for the logs of containers: `/var/log/containers` beside `/var/log/pods`. */
  get containerLogsDir(): string {
    return join(dirname(this.podLogsDir), 'containers');
  }

  /** Path of a container's log below the pod's log folder. */
  logPath(container: string, restartCount: number): string {
    return `${container}/${restartCount}.log`;
  }

  /** Sockets of plug-ins that want to be registered. */
  get plugInsDir(): string {
    return join(this.rootDir, 'plugins_registry');
  }

  /** Sockets of device plug-ins and of the kubelet that they register with, and what containers have of them. */
  get devicePlugInsDir(): string {
    return join(this.rootDir, 'device-plugins');
  }

  /** Which containers have processors to themselves. */
  get cpuStateFile(): string {
    return join(this.rootDir, 'cpu_manager_state');
  }

  /** Which containers have memory of which nodes. */
  get memoryStateFile(): string {
    return join(this.rootDir, 'memory_manager_state');
  }

  /** Where it is told what pods have of devices, processors and memory. */
  get podResourcesSocket(): string {
    return join(this.rootDir, 'pod-resources', 'kubelet.sock');
  }

  /** By what credentials images came. */
  get pullRecordsDir(): string {
    return join(this.rootDir, 'image_manager');
  }

  /** Archives of containers' states. */
  get checkpointsDir(): string {
    return join(this.rootDir, 'checkpoints');
  }

  /** When the machine last shut down, and when its pods had ended. */
  get shutdownFile(): string {
    return join(this.rootDir, 'graceful_node_shutdown_state');
  }

  /** What was granted to pods. */
  get allocatedFile(): string {
    return join(this.rootDir, 'allocated_pods_state');
  }

  /** What pods were made with. */
  get actuatedFile(): string {
    return join(this.rootDir, 'actuated_pods_state');
  }

  seccompProfile(name: string): string {
    return join(this.rootDir, 'seccomp', name);
  }
}
