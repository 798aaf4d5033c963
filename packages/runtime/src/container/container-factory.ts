import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type ContainerConfig, NamespaceMode } from '@wherry/cri';
import { OpenFolder } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import type { StoredImage } from '../images/image-record.ts';
import type { ImageStore } from '../images/image-store.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import { type CgroupDriver, cgroupsPath } from '../spec/cgroup-path.ts';
import { containerNamespaces, containerSpec } from '../spec/container-spec.ts';
import type { MachineAbilities } from '../spec/machine.ts';
import { resolveUser } from '../spec/user.ts';
import type { Container } from './container-record.ts';
import type { ContainerStore } from './container-store.ts';
import type { ImageVolumes } from './image-volumes.ts';
import { mountOverlay } from './overlay.ts';
import { stopSignalOf } from './signals.ts';

/** What containers are made from. */
export interface ContainerFactoryOptions {
  store: ContainerStore;
  sandboxes: SandboxStore;
  images: ImageStore;
  imageVolumes: ImageVolumes;
  machine: MachineAbilities;
  cgroupDriver: CgroupDriver;
  /** Parent cgroup of pods that name none. */
  cgroupRoot: string;
}

/** The file that the OCI runtime reads. */
export const bundleFile = 'config.json';

/** Makes containers ready to be started: root file system, user, OCI configuration. No process runs yet. */
export class ContainerFactory {
  readonly #options: ContainerFactoryOptions;

  constructor(options: ContainerFactoryOptions) {
    this.#options = options;
  }

  /** The sandbox a container goes to and the image it runs. Throws `RuntimeError`. */
  check(sandboxId: string, config: ContainerConfig): { sandbox: Sandbox; image: StoredImage } {
    const sandbox = this.#options.sandboxes.find(sandboxId);
    if (!sandbox.ready)
      throw new RuntimeError('FAILED_PRECONDITION', `pod sandbox ${sandbox.id} is not ready; run a new one`);
    if (!config.metadata?.name)
      throw new RuntimeError('INVALID_ARGUMENT', 'a container needs metadata with a name');
    if (!config.image?.image) throw new RuntimeError('INVALID_ARGUMENT', 'a container needs an image');
    return { sandbox, image: this.#options.images.find(config.image.image) };
  }

  /** Fills the container's folder. The caller clears it after a failure. */
  make(made: {
    id: string;
    createdAtNs: bigint;
    sandbox: Sandbox;
    image: StoredImage;
    config: ContainerConfig;
  }): Container {
    const { id, createdAtNs, sandbox, image, config } = made;
    const { store, images, sandboxes, imageVolumes } = this.#options;
    const folder = store.folder.make(id);
    const rootfs = mountOverlay({ layersRoot: images.layers.root, layerKeys: image.layerKeys, folder });
    const sandboxFolder = sandboxes.folder.path(sandbox.id);
    const { mounts, volumes } = imageVolumes.prepare(sandboxFolder, config.mounts);
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
    const spec = containerSpec({
      config,
      image: image.config,
      sandbox,
      sandboxFolder,
      rootfs,
      user,
      cgroupsPath: container.cgroupsPath,
      machine: this.#options.machine,
      imageMounts: mounts,
      processNamespace: this.#processNamespace(sandbox, config),
    });
    writeFileSync(join(folder, bundleFile), JSON.stringify(spec), { mode: 0o600 });
    if (container.logPath !== '') makeLogFolder(dirname(container.logPath));
    return container;
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
