import { readFileSync } from 'node:fs';
import type { ResourceRequirements } from '@wherry/kubeapi';
import { writeFileAtomic } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { type Allocation, isSameAllocation } from '../pod/allocation.ts';
import { fnv1a32 } from '../pod/container-hash.ts';

interface StoredPod {
  ContainerResources: Record<string, ResourceRequirements>;
  PodLevelResources: ResourceRequirements | null;
}

/**
 * Resources of pods in a file that outlives the kubelet, in upstream's form, so that either kubelet can take over from the
 * other (pkg/kubelet/allocation/state). A file that can't be understood is said and begun anew.
 *
 * The file holds all pods and is written whole: what changes while it is being written is written together, next. Who must
 * not go on before it is there waits for {@link written}.
 */
export class ResourceRecords {
  readonly #path: string;
  readonly #logger: Logger;
  readonly #pods: Map<string, Allocation>;
  /** The write under way, and the one that follows it with all that has changed since. */
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(path: string, logger: Logger) {
    this.#path = path;
    this.#logger = logger;
    this.#pods = this.#read();
  }

  of(uid: string): Allocation | undefined {
    return this.#pods.get(uid);
  }

  set(uid: string, allocation: Allocation): void {
    const before = this.#pods.get(uid);
    if (before && isSameAllocation(before, allocation)) return;
    this.#pods.set(uid, allocation);
    this.#change();
  }

  /** Of a single container; the pod's other resources stay. */
  setContainer(uid: string, name: string, resources: ResourceRequirements): void {
    const { pod, containers } = this.#pods.get(uid) ?? { pod: undefined, containers: new Map() };
    this.set(uid, { pod, containers: new Map([...containers, [name, resources]]) });
  }

  /** Of the pod as a whole; its containers' resources stay. */
  setPod(uid: string, pod: ResourceRequirements | undefined): void {
    this.set(uid, { pod, containers: this.#pods.get(uid)?.containers ?? new Map() });
  }

  /** Forgets all pods but those that are kept. */
  keep(isKept: (uid: string) => boolean): void {
    const gone = [...this.#pods.keys()].filter((uid) => !isKept(uid));
    for (const uid of gone) this.#pods.delete(uid);
    if (gone.length > 0) this.#change();
  }

  /** Resolves when the file says all that was set so far, or could not be written. */
  written(): Promise<void> {
    return this.#next ?? this.#writing ?? Promise.resolve();
  }

  #change(): void {
    this.#next ??= Promise.resolve(this.#writing).then(() => {
      this.#writing = this.#next;
      this.#next = undefined;
      return this.#write();
    });
  }

  #read(): Map<string, Allocation> {
    try {
      const { data, checksum } = JSON.parse(readFileSync(this.#path, 'utf8')) as {
        data: string;
        checksum: number;
      };
      if (checksum !== checksumOf(data)) throw new Error(`its checksum is not ${checksumOf(data)}`);
      const { entries = {} } = JSON.parse(data) as { entries?: Record<string, StoredPod> };
      return new Map(
        Object.entries(entries).map(([uid, { ContainerResources, PodLevelResources }]) => [
          uid,
          {
            pod: PodLevelResources ?? undefined,
            containers: new Map(Object.entries(ContainerResources ?? {})),
          },
        ]),
      );
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#logger.warn('the resources given to pods can not be read; what pods ask for now is taken', {
          path: this.#path,
          error,
        });
      return new Map();
    }
  }

  async #write(): Promise<void> {
    const entries = Object.fromEntries(
      [...this.#pods].map(([uid, { pod, containers }]): [string, StoredPod] => [
        uid,
        { ContainerResources: Object.fromEntries(containers), PodLevelResources: pod ?? null },
      ]),
    );
    const data = JSON.stringify({ entries });
    try {
      const text = JSON.stringify({ data, checksum: checksumOf(data) });
      await writeFileAtomic(this.#path, text);
    } catch (error) {
      this.#logger.warn('the resources given to pods can not be noted; a restart will not know them', {
        path: this.#path,
        error,
      });
    }
  }
}

/** FNV-1a over the text as Go's dump of a string prints it. */
export function checksumOf(data: string): number {
  return fnv1a32(Buffer.from(`(string)${data}`, 'utf8'));
}
