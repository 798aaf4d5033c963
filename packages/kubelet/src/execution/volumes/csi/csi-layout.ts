import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Where the kubelet keeps what CSI drivers put in place: the folders that upstream's has, so that either finds them. */
export class CsiLayout {
  readonly #podsDir: string;
  readonly #pluginDir: string;

  constructor(rootDir: string) {
    this.#podsDir = join(rootDir, 'pods');
    this.#pluginDir = join(rootDir, 'plugins/kubernetes.io/csi');
  }

  /** Folder of the drivers whose volumes were staged; one of its entries is {@link devicesDir}. */
  get driversDir(): string {
    return this.#pluginDir;
  }

  get devicesDir(): string {
    return join(this.#pluginDir, devicesName);
  }

  /** Folder of a staged volume's data; the volume itself is in `globalmount` there. */
  stagedDir(driver: string, handle: string): string {
    return join(this.#pluginDir, driver, sha256(handle));
  }

  /** Where a block volume is staged. */
  deviceStagingPath(volume: string): string {
    return join(this.devicesDir, 'staging', volume);
  }

  /** Where a volume is staged: `device` names the persistent volume of one that is a block device. */
  stagingPath({
    driver,
    handle,
    device,
  }: {
    driver: string;
    handle: string;
    device: string | undefined;
  }): string {
    return device === undefined
      ? join(this.stagedDir(driver, handle), stagedMount)
      : this.deviceStagingPath(device);
  }

  /** Where a block volume is published for one pod. */
  devicePublishPath(volume: string, uid: string): string {
    return join(this.devicesDir, 'publish', volume, uid);
  }

  /** Folder of what is kept of a block volume: `data`, and `dev`. */
  deviceDir(volume: string): string {
    return join(this.devicesDir, volume);
  }

  deviceDataDir(volume: string): string {
    return join(this.deviceDir(volume), 'data');
  }

  /** Folder of the pods, each with its UID as name. */
  get podsDir(): string {
    return this.#podsDir;
  }

  /** The pod's CSI volumes, each a folder that holds its data and `mount`. */
  podVolumesDir(uid: string): string {
    return join(this.#podsDir, uid, 'volumes/kubernetes.io~csi');
  }

  /** Links to the pod's CSI block volumes, by volume. */
  podDevicesDir(uid: string): string {
    return join(this.#podsDir, uid, 'volumeDevices/kubernetes.io~csi');
  }
}

const devicesName = 'volumeDevices';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Where a staged volume is, below its folder. */
export const stagedMount = 'globalmount';
/** Where a published volume is, below its folder. */
export const publishedMount = 'mount';

const driverPattern = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/i;
const driverNameMax = 63;

/** Throws for what is no name of a driver: it becomes part of paths. */
export function checkDriverName(name: string): void {
  if (driverPattern.test(name) && name.length <= driverNameMax && name !== devicesName) return;
  throw new Error(`"${name}" is no name of a CSI driver: letters, digits, dots and dashes, at most 63`);
}

/** The name of the VolumeAttachment that puts a volume on a node. */
export const attachmentName = (volume: { driver: string; handle: string }, nodeName: string) =>
  `csi-${sha256(`${volume.handle}${volume.driver}${nodeName}`)}`;

/** What an inline volume is called to its driver. */
export const inlineHandle = (uid: string, volume: string) => `csi-${sha256(`${uid}${volume}`)}`;

/** The name of a volume in a node's status. */
export const uniqueName = ({ driver, handle }: { driver: string; handle: string }) =>
  `kubernetes.io/csi/${driver}^${handle}`;
