import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IDMapping, type Input, NamespaceMode, type UserNamespace } from '@wherry/cri';
import { hasCode, OpenFolder, writeFileAtomicSync } from '@wherry/linux';
import type { NodePaths } from '../../ground/node-paths.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { SubordinateIds } from './subordinate-ids.ts';

/** The machine's own users, as nearly every pod has them. */
export const machineUsers: Input<UserNamespace> = { mode: NamespaceMode.NODE };

/** As upstream keeps it in a pod's folder (pkg/kubelet/userns/userns_manager.go). */
interface RangeFile {
  uidMappings: IDMapping[];
  gidMappings: IDMapping[];
}

const fileName = 'userns';

/**
 * Ranges of the machine's ids for pods that have users of their own: no two pods have one together. A pod's range stands in
 * its folder before anything is made with it, so that it has the same one after a restart, and is free again with that folder.
 */
export class UserRanges {
  readonly #paths: NodePaths;
  readonly #ids: SubordinateIds;
  readonly #used = new Map<number, string>();
  readonly #pods = new Map<string, Input<UserNamespace>>();

  constructor(options: { paths: NodePaths; ids: SubordinateIds }) {
    this.#paths = options.paths;
    this.#ids = options.ids;
    for (const uid of podsOnDisk(options.paths.podsDir)) this.#read(uid);
  }

  /** The users of a pod, whose folder is there. Throws when no range is left. */
  usersOf(pod: AssignedPod): Input<UserNamespace> {
    if (pod.spec.hostUsers !== false) return machineUsers;
    const { uid } = pod.metadata;
    return this.#pods.get(uid) ?? this.#allocate(uid);
  }

  /** Gives a pod's range back: its containers are gone. Repeats are fine. */
  release(uid: string): void {
    const users = this.#pods.get(uid);
    if (!users) return;
    removeIn(this.#paths.podDir(uid));
    this.#pods.delete(uid);
    this.#used.delete(users.uids?.[0]?.hostId ?? 0);
  }

  /** Gives back the ranges of pods that are gone. */
  keep(isKept: (uid: string) => boolean): void {
    for (const uid of [...this.#pods.keys()]) if (!isKept(uid)) this.release(uid);
  }

  #file(uid: string): string {
    return join(this.#paths.podDir(uid), fileName);
  }

  #allocate(uid: string): Input<UserNamespace> {
    const { firstId, count, idsPerPod } = this.#ids;
    for (let id = firstId; id + idsPerPod <= firstId + count; id += idsPerPod) {
      if (this.#used.has(id)) continue;
      const mappings = [{ hostId: id, containerId: 0, length: idsPerPod }];
      const content: RangeFile = { uidMappings: mappings, gidMappings: mappings };
      writeFileAtomicSync(this.#file(uid), JSON.stringify(content));
      return this.#take(uid, mappings);
    }
    throw new Error('could not find an empty slot to allocate a user namespace');
  }

  #take(uid: string, mappings: IDMapping[]): Input<UserNamespace> {
    const users = { mode: NamespaceMode.POD, uids: mappings, gids: mappings };
    this.#used.set(mappings[0]?.hostId ?? 0, uid);
    this.#pods.set(uid, users);
    return users;
  }

  /** A range that was written with another length stays its pod's: what runs has these ids. Throws when a file is broken. */
  #read(uid: string): void {
    const text = readIfThere(this.#file(uid));
    if (text === undefined) return;
    const { uidMappings = [] } = JSON.parse(text) as Partial<RangeFile>;
    const [mapping] = uidMappings;
    if (!mapping || !Number.isInteger(mapping.hostId))
      throw new Error(
        `"${this.#file(uid)}" tells no range of ids: remove it once the pod's containers are gone`,
      );
    this.#take(uid, uidMappings);
  }
}

function removeIn(podDir: string): void {
  try {
    using folder = OpenFolder.at(podDir);
    folder.remove(fileName);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

function podsOnDisk(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
