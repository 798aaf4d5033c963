import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type ContainerConfig, NamespaceMode } from '@wherry/cri';
import type { ImageConfig, ImageStore, StoredImage } from '@wherry/images';
import { OpenFolder } from '@wherry/linux';
import type { AppArmorProfiles, ProfilesAtHand } from '../apparmor/apparmor-profiles.ts';
import { withEdits } from '../cdi/apply-edits.ts';
import type { ContainerEdits } from '../cdi/device-file.ts';
import type { DeviceFolders } from '../cdi/device-folders.ts';
import { wantedDevices } from '../cdi/device-name.ts';
import { RuntimeError } from '../errors.ts';
import { checkContainerUsers, podUsers } from '../sandbox/pod-users.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import { type CgroupDriver, cgroupsPath } from '../spec/cgroup-path.ts';
import type { MachineAbilities } from '../spec/machine.ts';
import { checkPaths } from '../spec/mounts.ts';
import { resolveUser } from '../spec/user.ts';
import { type DeclaredVolume, declaredVolumes, volumeMounts } from '../volumes/declared-volumes.ts';
import type { HostPaths } from '../volumes/host-paths.ts';
import type { ImageVolumes } from '../volumes/image-volumes.ts';
import { type LayerOwners, mountOverlay, unmountOverlay } from '../volumes/overlay.ts';
import type { Stage } from '../volumes/stage.ts';
import type { MadeContainer } from './container-lifecycle.ts';
import type { Container } from './container-record.ts';
import { containerNamespaces, containerSpec, hostMounts } from './container-spec.ts';
import { bundleFile, type ContainerStore } from './container-store.ts';
import { stageMounts } from './staged-mounts.ts';
import { stopSignalOf } from './stop-signal.ts';

/** What containers are made from. */
export interface ContainerFactoryOptions {
  store: ContainerStore;
  sandboxes: SandboxStore;
  images: ImageStore;
  imageVolumes: ImageVolumes;
  hostPaths: HostPaths;
  devices: DeviceFolders;
  stage: Stage;
  machine: MachineAbilities;
  profiles: AppArmorProfiles;
  cgroupDriver: CgroupDriver;
  /** Parent cgroup of pods that name none. */
  cgroupRoot: string;
}

/** What a container is made upon. */
export interface Ground {
  folder: string;
  rootfs: string;
  volumes: DeclaredVolume[];
  hostPaths: ReadonlyMap<string, string>;
  /** What comes with the container's CDI devices. */
  deviceEdits: readonly ContainerEdits[];
  profiles: ProfilesAtHand;
  /** To be called once the container is stored or given up. */
  release(): void;
}

/** A container that is asked for. */
interface Wanted {
  id: string;
  image: StoredImage;
  config: ContainerConfig;
  sandbox: Sandbox;
  /** Its folder is there already, and holds a checkpoint. */
  isRestored: boolean;
}

/** Makes containers ready to be started: root file system, user, OCI configuration. No process runs yet. */
export class ContainerFactory {
  readonly #options: ContainerFactoryOptions;

  constructor(options: ContainerFactoryOptions) {
    this.#options = options;
  }

  /** The sandbox a container goes to, and the image it runs: its own, unless another is given. Throws `RuntimeError`. */
  check(
    sandboxId: string,
    config: ContainerConfig,
    restored?: StoredImage,
  ): { sandbox: Sandbox; image: StoredImage } {
    const sandbox = this.checkPlace(sandboxId, config);
    return { sandbox, image: restored ?? this.#ownImage(config) };
  }

  /** The sandbox a container goes to. Throws `RuntimeError`. */
  checkPlace(sandboxId: string, config: ContainerConfig): Sandbox {
    const sandbox = this.#options.sandboxes.find(sandboxId);
    if (!sandbox.ready)
      throw new RuntimeError('FAILED_PRECONDITION', `pod sandbox ${sandbox.id} is not ready; run a new one`);
    if (!config.metadata?.name)
      throw new RuntimeError('INVALID_ARGUMENT', 'a container needs metadata with a name');
    if (!config.image?.image) throw new RuntimeError('INVALID_ARGUMENT', 'a container needs an image');
    checkContainerUsers(config.linux?.securityContext?.namespaceOptions, podUsers(sandbox.config));
    return sandbox;
  }

  #ownImage({ image: wanted }: ContainerConfig): StoredImage {
    const name = wanted?.image ?? '';
    const image = this.#options.images.find(name);
    if (image.artifactType !== undefined)
      throw new RuntimeError(
        'FAILED_PRECONDITION',
        `image "${name}" is an OCI artifact of the type "${image.artifactType}": it can be mounted as a volume, and not be run`,
      );
    return image;
  }

  /**
   * Lays the ground for a container: its folder, its root file system, the volumes that its image declares, and the
   * machine's paths that it mounts. What waits for a disk or a file server waits here, beside everything else. Its images
   * stay until the ground is released, whoever removes them. The caller clears the folder after a failure.
   */
  async prepare({ image, ...wanted }: Wanted): Promise<Ground> {
    const { images, imageVolumes } = this.#options;
    const holds = [image, ...imageVolumes.imagesOf(wanted.config.mounts)].map((each) => images.hold(each));
    const release = () => holds.splice(0).forEach((letGo) => void letGo());
    try {
      return { ...(await this.#lay({ image, ...wanted })), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #lay({ id, image, config, sandbox, isRestored }: Wanted): Promise<Omit<Ground, 'release'>> {
    const { store, images, hostPaths, devices } = this.#options;
    const { layerKeys } = image;
    for (const mount of hostMounts(config)) checkPaths(mount);
    const deviceEdits = await devices.editsOf(
      wantedDevices(config, { hasOwnUsers: podUsers(sandbox.config) !== null }),
    );
    const profiles = await this.#options.profiles.atHand();
    const folder = isRestored ? store.folder.path(id) : store.folder.make(id);
    const volumes = declaredVolumes(folder, image.config.volumes, config.mounts);
    const owners = layerOwners(sandbox);
    const rootfs = mountOverlay({ layersRoot: images.layers.root, layerKeys, folder, owners });
    for (const { path, source } of volumes) await images.pool.copyFolder(rootfs, path, source);
    const paths = new Set(hostMounts(config).map((mount) => mount.hostPath));
    const resolved = await Promise.all(
      [...paths].map(async (path) => [path, await hostPaths.resolve(path)] as const),
    );
    return { folder, rootfs, volumes, hostPaths: new Map(resolved), deviceEdits, profiles };
  }

  /** Takes away what was mounted for a container that is given up. */
  abandon(id: string): void {
    const { store, stage } = this.#options;
    stage.release(id);
    unmountOverlay(store.folder.path(id));
  }

  /** Makes the container upon its ground, in one step; {@link write} is the last. */
  make(made: {
    id: string;
    createdAtNs: bigint;
    sandbox: Sandbox;
    image: StoredImage;
    config: ContainerConfig;
    ground: Ground;
    isRestored: boolean;
  }): MadeContainer {
    const { id, createdAtNs, sandbox, image, config, ground, isRestored } = made;
    const { sandboxes, imageVolumes, stage } = this.#options;
    const { rootfs } = ground;
    const sandboxFolder = sandboxes.folder.path(sandbox.id);
    const { mounts, volumes } = imageVolumes.prepare(
      { folder: sandboxFolder, owners: layerOwners(sandbox) },
      config.mounts,
    );
    const user = resolveUser(rootfs, config.linux?.securityContext, image.config.user);
    const container: Container = {
      id,
      sandboxId: sandbox.id,
      config,
      resources: config.linux?.resources,
      imageId: image.id,
      imageRef: image.digests[0] ?? image.id,
      layerKeys: image.layerKeys,
      user,
      stopSignal: stopSignalOf(config.stopSignal, image.config.stopSignal),
      logPath: logPathOf(sandbox, config),
      cgroupsPath: this.#cgroupsPath(sandbox, id),
      cgroupDriver: this.#options.cgroupDriver,
      imageVolumes: volumes,
      ...(isRestored && { isRestored }),
      state: 'created',
      createdAtNs,
      startedAtNs: 0n,
      finishedAtNs: 0n,
      exitCode: 0,
      reason: '',
      message: '',
      pid: 0,
      startTicks: 0,
    };
    const shown = stageMounts({ id, config, sandbox, rootfs, hostPaths: ground.hostPaths, stage });
    const spec = containerSpec({
      config,
      image: isRestored ? withCommand(image.config) : image.config,
      sandbox,
      sandboxFolder,
      rootfs: shown.rootfs,
      user,
      cgroupsPath: container.cgroupsPath,
      machine: this.#options.machine,
      profiles: ground.profiles,
      imageMounts: mounts,
      declaredMounts: volumeMounts(ground.volumes),
      hostPaths: ground.hostPaths,
      staged: shown.mounts,
      processNamespace: this.#processNamespace(sandbox, config),
    });
    return { container, spec: withEdits(spec, ground.deviceEdits) };
  }

  /** Writes what the OCI runtime reads, and makes the folder of the log. */
  write({ container, spec }: MadeContainer): void {
    const path = this.#options.store.folder.path(container.id, bundleFile);
    writeFileSync(path, JSON.stringify(spec), { mode: 0o600 });
    if (container.logPath !== '') makeLogFolder(dirname(container.logPath));
  }

  #cgroupsPath(sandbox: Sandbox, id: string): string {
    const { cgroupDriver: driver, cgroupRoot: defaultParent } = this.#options;
    return cgroupsPath({ driver, parent: sandbox.config.linux?.cgroupParent ?? '', defaultParent, id });
  }

  #processNamespace(sandbox: Sandbox, config: ContainerConfig): string | undefined {
    const { pid } = containerNamespaces(config, sandbox);
    if (pid === NamespaceMode.POD && sandbox.holderPid !== null) return `/proc/${sandbox.holderPid}/ns/pid`;
    if (pid !== NamespaceMode.TARGET) return undefined;
    const targetId = config.linux?.securityContext?.namespaceOptions?.targetId ?? '';
    const target = this.#options.store.get(targetId);
    if (target?.sandboxId !== sandbox.id || target.state !== 'running') {
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `target "${targetId}" is no running container of pod sandbox ${sandbox.id}`,
      );
    }
    return `/proc/${target.pid}/ns/pid`;
  }
}

/** Whose files a container's layers show: those of the pod's own users, where it has some. */
function layerOwners({ config, namespaces }: Sandbox): LayerOwners | undefined {
  const users = podUsers(config);
  if (!users) return undefined;
  const { uids, gids } = users;
  return { userNamespacePath: namespaces.user ?? '', rootUid: uids.hostId, rootGid: gids.hostId };
}

/** What comes back runs already: there need be no command. */
const withCommand = (config: ImageConfig): ImageConfig =>
  config.cmd.length > 0 ? config : { ...config, cmd: ['restored'] };

/** Where the log goes; empty when the sandbox or the container names no place. */
function logPathOf(sandbox: Sandbox, config: ContainerConfig): string {
  const folder = sandbox.config.logDirectory;
  return folder === '' || config.logPath === '' ? '' : join(folder, config.logPath);
}

/** Makes the folder of a log. Pods may write to the folders around it: no link of theirs is followed. */
function makeLogFolder(folder: string): void {
  const logs = dirname(dirname(folder));
  mkdirSync(logs, { recursive: true, mode: 0o755 });
  using root = OpenFolder.at(logs);
  root.makeFolders(relative(logs, folder) || '.', { links: 'refused' }).close();
}
