import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@wherry/clock';
import { type Device, type Input, type Mount, MountPropagation } from '@wherry/cri';
import type { VolumeMount } from '@wherry/kubeapi';
import type { NodePaths } from '../../ground/node-paths.ts';
import { type AssignedPod, isHostNetwork } from '../../pod/assigned-pod.ts';
import { containerPathOf, type PodContainer } from '../../pod/containers.ts';
import type { EnvironmentEntry } from '../environment/environment.ts';
import { expandReferences } from '../environment/expand.ts';
import { etcHosts } from '../sandbox/etc-hosts.ts';
import type { RuntimeClasses } from '../sandbox/runtime-classes.ts';
import { requireFileServer } from './nfs/file-server.ts';
import { bindSubPath, checkSubPath } from './sub-path.ts';
import type { ReadyVolume } from './volume-plugin.ts';

/** A pod's volumes by name. */
export type PodVolumes = ReadonlyMap<string, ReadyVolume>;

/** A container about to be created. */
export interface MountRequest {
  pod: AssignedPod;
  target: PodContainer;
  volumes: PodVolumes;
  environment: readonly EnvironmentEntry[];
  podIps: readonly string[];
}

const propagations: Record<string, MountPropagation> = {
  HostToContainer: MountPropagation.PROPAGATION_HOST_TO_CONTAINER,
  Bidirectional: MountPropagation.PROPAGATION_BIDIRECTIONAL,
};

/** Makes the list of mounts of a container: its volumes, /etc/hosts, the termination message file. */
export class ContainerMounts {
  readonly #paths: NodePaths;
  readonly #clusterDomain: string;
  readonly #classes: RuntimeClasses;
  readonly #clock: Clock;

  constructor(options: {
    paths: NodePaths;
    clusterDomain: string;
    classes: RuntimeClasses;
    clock: Clock;
  }) {
    this.#paths = options.paths;
    this.#clusterDomain = options.clusterDomain;
    this.#classes = options.classes;
    this.#clock = options.clock;
  }

  /** Throws when a volume or a sub-path can't be mounted. */
  async prepare(request: MountRequest): Promise<Input<Mount>[]> {
    const { container } = request.target;
    const mounts: Input<Mount>[] = [];
    for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
      mounts.push(await this.#volumeMount(request, mount, index));
    }
    const taken = new Set(
      (container.volumeMounts ?? []).map(({ mountPath }) => containerPathOf(mountPath).replace(/\/$/, '')),
    );
    const { pod, podIps } = request;
    const hasNetwork = podIps.length > 0 || isHostNetwork(pod);
    if (hasNetwork && !taken.has('/etc/hosts')) mounts.push(await this.#hostsMount(request));
    const messagePath = containerPathOf(container.terminationMessagePath ?? '');
    if (messagePath !== '/' && !taken.has(messagePath))
      mounts.push(await this.#messageMount(request, messagePath));
    return mounts;
  }

  /** The block devices of a container. Throws when a volume is none. */
  devices({ target: { container }, volumes }: MountRequest): Input<Device>[] {
    return (container.volumeDevices ?? []).map(({ name, devicePath }) => {
      const volume = volumes.get(name);
      if (!volume) throw new Error(`cannot find volume "${name}" to pass into container "${container.name}"`);
      if (!volume.isDevice)
        throw new Error(`volume "${name}" has volumeMode Filesystem, but is specified in volumeDevices`);
      const permissions = volume.readOnly ? 'r' : 'mrw';
      return { containerPath: devicePath, hostPath: volume.hostPath, permissions };
    });
  }

  async #volumeMount(request: MountRequest, mount: VolumeMount, index: number): Promise<Input<Mount>> {
    const volume = request.volumes.get(mount.name);
    if (!volume)
      throw new Error(
        `cannot find volume "${mount.name}" to mount into container "${request.target.container.name}"`,
      );
    if (volume.isDevice)
      throw new Error(`volume "${mount.name}" has volumeMode Block, but is specified in volumeMounts`);
    const subPath = subPathOf(mount, request.environment);
    checkSubPath(subPath);
    const common = {
      containerPath: containerPathOf(mount.mountPath),
      readonly: volume.readOnly || (mount.readOnly ?? false),
      recursiveReadOnly: await this.#isRecursivelyReadOnly(request.pod, mount),
      propagation: propagations[mount.mountPropagation ?? ''] ?? MountPropagation.PROPAGATION_PRIVATE,
    };
    if (volume.image !== undefined)
      return { ...common, image: { image: volume.image }, imageSubPath: subPath };
    if (subPath && volume.isRemote) await requireFileServer(volume.hostPath, this.#clock);
    const hostPath = subPath
      ? await this.#subPath(request, mount, { subPath, volumeDir: volume.hostPath, index })
      : volume.hostPath;
    return { ...common, hostPath };
  }

  /** Throws, in upstream's words, where it is asked for and can't be had. */
  async #isRecursivelyReadOnly(pod: AssignedPod, mount: VolumeMount): Promise<boolean> {
    const { name, recursiveReadOnly: mode, mountPropagation } = mount;
    if (mode !== 'Enabled' && mode !== 'IfPossible') return false;
    const asked = `failed to resolve recursive read-only mode: volume "${name}" requested recursive read-only mode, but it is not`;
    if (!mount.readOnly) throw new Error(`${asked} read-only`);
    if (mountPropagation && mountPropagation !== 'None')
      throw new Error(`${asked} compatible with propagation "${mountPropagation}"`);
    if (await this.#classes.supportsRecursiveReadOnly(pod)) return true;
    if (mode === 'Enabled') throw new Error(`${asked} supported by the runtime`);
    return false;
  }

  /** What went wrong in detail could tell of the node's files, and is left to the error's cause. */
  async #subPath(
    request: MountRequest,
    mount: VolumeMount,
    part: { subPath: string; volumeDir: string; index: number },
  ): Promise<string> {
    const { name } = request.target.container;
    const folder = this.#paths.subPathDir(request.pod.metadata.uid, mount.name, name);
    const isShared = mount.mountPropagation === 'Bidirectional';
    try {
      return await bindSubPath({ ...part, target: join(folder, String(part.index)), isShared });
    } catch (error) {
      const message = `failed to prepare subPath for volumeMount "${mount.name}" of container "${name}"`;
      throw new Error(message, { cause: error });
    }
  }

  async #hostsMount({ pod, podIps }: MountRequest): Promise<Input<Mount>> {
    const path = this.#paths.etcHosts(pod.metadata.uid);
    const hostFile = isHostNetwork(pod) ? await readFile('/etc/hosts', 'utf8').catch(() => '') : '';
    await writeFile(path, etcHosts(pod, { podIps, clusterDomain: this.#clusterDomain, hostFile }), {
      mode: 0o644,
    });
    return { containerPath: '/etc/hosts', hostPath: path };
  }

  async #messageMount({ pod, target }: MountRequest, containerPath: string): Promise<Input<Mount>> {
    const folder = this.#paths.containerDir(pod.metadata.uid, target.container.name);
    await mkdir(folder, { recursive: true, mode: 0o750 });
    const hostPath = join(folder, randomBytes(4).toString('hex'));
    await writeFile(hostPath, '');
    await chmod(hostPath, 0o666);
    return { containerPath, hostPath };
  }
}

/** Throws, in upstream's words, when a variable that the path names has no value: the path would be another one. */
function subPathOf({ subPath, subPathExpr }: VolumeMount, environment: readonly EnvironmentEntry[]): string {
  if (!subPathExpr) return subPath ?? '';
  const values = new Map(environment.map((entry) => [entry.name, entry.value]));
  const missing = new Set<string>();
  const path = expandReferences(subPathExpr, (variable) => {
    const value = values.get(variable);
    if (!value) missing.add(variable);
    return value;
  });
  if (missing.size > 0) throw new Error(`missing value for ${[...missing].sort().join(', ')}`);
  return path;
}
