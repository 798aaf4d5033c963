import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CsiLayout } from './csi-layout.ts';
import { readVolumeData } from './volume-data.ts';

/** A volume as its driver knows it. */
export interface VolumeName {
  driver: string;
  handle: string;
}

/** What of a volume is or may be in place for one pod. */
export interface Publication extends VolumeName {
  uid: string;
  /** The name of its folders: the persistent volume's, or that in the pod. */
  name: string;
  isDevice: boolean;
  isEphemeral: boolean;
}

/** A volume that is or may be staged. */
export interface Staged extends VolumeName {
  /** Name of a block volume; undefined for one with a file system. */
  device: string | undefined;
}

export const keyOf = ({ driver, handle }: VolumeName) => `${driver}^${handle}`;

/**
 * Who uses which volume of a driver on this node. What an earlier kubelet left is found in the folders: a volume's data is
 * written before its driver is asked for it, and removed after the driver has let go.
 */
export class VolumeUsers {
  readonly #layout: CsiLayout;
  readonly #onUnreadable: (error: unknown) => void;
  readonly #publications = new Map<string, Publication>();
  readonly #staged = new Map<string, Staged>();
  #loading: Promise<void> | undefined;

  /** Data that can't be read keeps the pod whose it is from being removed, and is told. */
  constructor(layout: CsiLayout, onUnreadable: (error: unknown) => void) {
    this.#layout = layout;
    this.#onUnreadable = onUnreadable;
  }

  /** Resolves once what earlier kubelets left is known. Rejects when it can't be read, and tries again when asked again. */
  load(): Promise<void> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  add(publication: Publication): void {
    this.#publications.set(idOf(publication), publication);
  }

  drop(publication: Publication): void {
    this.#publications.delete(idOf(publication));
  }

  stage(staged: Staged): void {
    this.#staged.set(keyOf(staged), staged);
  }

  unstage(staged: VolumeName): void {
    this.#staged.delete(keyOf(staged));
  }

  staged(volume: VolumeName): Staged | undefined {
    return this.#staged.get(keyOf(volume));
  }

  of(uid: string): Publication[] {
    return [...this.#publications.values()].filter((publication) => publication.uid === uid);
  }

  isUsed(volume: VolumeName): boolean {
    const key = keyOf(volume);
    return [...this.#publications.values()].some((publication) => keyOf(publication) === key);
  }

  /** Volumes that are staged for nobody. */
  get unused(): Staged[] {
    const used = new Set([...this.#publications.values()].map(keyOf));
    return [...this.#staged].flatMap(([key, staged]) => (used.has(key) ? [] : [staged]));
  }

  /** Every volume that outlives its pods and is staged, or in place for one. */
  get lasting(): VolumeName[] {
    const ofPods = [...this.#publications.values()].filter(
      ({ isEphemeral, driver }) => !isEphemeral && driver,
    );
    const all = [...ofPods, ...this.#staged.values()].map((volume) => [keyOf(volume), volume] as const);
    return [...new Map(all).values()];
  }

  async #read(): Promise<void> {
    const { driversDir, devicesDir, podsDir } = this.#layout;
    for (const uid of await namesIn(podsDir)) await this.#readPod(uid);
    for (const driver of await namesIn(driversDir)) {
      if (join(driversDir, driver) === devicesDir) continue;
      for (const hash of await namesIn(join(driversDir, driver))) {
        const found = await this.#find(join(driversDir, driver, hash));
        if (found?.driver) this.stage({ ...found, device: undefined });
      }
    }
    for (const device of await namesIn(devicesDir)) {
      const found = await this.#find(this.#layout.deviceDataDir(device));
      if (found?.driver) this.stage({ ...found, device });
    }
  }

  async #readPod(uid: string): Promise<void> {
    for (const name of await namesIn(this.#layout.podVolumesDir(uid))) {
      const found = await this.#find(join(this.#layout.podVolumesDir(uid), name));
      if (found) this.add({ isEphemeral: false, ...found, uid, name, isDevice: false });
    }
    for (const name of await namesIn(this.#layout.podDevicesDir(uid))) {
      const found = await this.#find(this.#layout.deviceDataDir(name));
      if (found) this.add({ isEphemeral: false, ...found, uid, name, isDevice: true });
    }
  }

  /** Of no driver where the data can't be read; undefined where there is none. */
  async #find(folder: string): Promise<(VolumeName & { isEphemeral?: boolean }) | undefined> {
    try {
      const data = await readVolumeData(folder);
      if (!data) return undefined;
      const { driverName: driver, volumeHandle: handle, volumeLifecycleMode: mode } = data;
      return { driver, handle, isEphemeral: mode === 'Ephemeral' };
    } catch (error) {
      this.#onUnreadable(error);
      return { driver: '', handle: folder };
    }
  }
}

const idOf = ({ uid, name, isDevice }: Publication) => `${uid}/${isDevice ? 'device' : 'mount'}/${name}`;

async function namesIn(folder: string): Promise<string[]> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? readdir(folder) : [];
}
