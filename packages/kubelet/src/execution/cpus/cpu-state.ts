import { type CpuSet, formatCpuSet, parseCpuSet } from '../../pod/cpu-set.ts';
import { printedMap, type StateForm, takeState, writeState } from '../topology/state-file.ts';

interface Stored {
  policyName: string;
  defaultCpuSet: string;
  entries?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const form: StateForm<Stored> = {
  needsNoChecksum: true,
  printed({ policyName, defaultCpuSet, entries = {} }) {
    const own = printedMap(entries, (containers) => printedMap(containers, (cpus) => cpus));
    const fields = [
      `PolicyName:(string)${policyName}`,
      `DefaultCPUSet:(string)${defaultCpuSet}`,
      `Entries:(map[string]map[string]string)${own}`,
      'Checksum:(checksum.Checksum)0',
    ];
    return `(*state.CPUManagerCheckpoint){${fields.join(' ')}}`;
  },
};

/** Processors of one container. */
export interface CpuGrant {
  uid: string;
  container: string;
  cpus: CpuSet;
}

/**
 * Which containers have processors to themselves, and those that all others share. It is kept in upstream's form, so that
 * either kubelet can take over from the other.
 */
export class CpuState {
  readonly #path: string;
  readonly #policy: string;
  readonly #grants = new Map<string, Map<string, CpuSet>>();
  /** Empty before the first time. */
  shared: CpuSet = new Set();

  /** Takes over what is there. Throws for a record that can't be read, or is of another policy. */
  constructor(path: string, policy: string) {
    this.#path = path;
    this.#policy = policy;
    takeState({ path, policy, form }, (stored) => this.#take(stored));
  }

  #take(stored: Stored): void {
    this.shared = parseCpuSet(stored.defaultCpuSet);
    for (const [uid, containers] of Object.entries(stored.entries ?? {}))
      for (const [container, cpus] of Object.entries(containers))
        this.set({ uid, container, cpus: parseCpuSet(cpus) });
  }

  get(uid: string, container: string): CpuSet | undefined {
    return this.#grants.get(uid)?.get(container);
  }

  set({ uid, container, cpus }: CpuGrant): void {
    const ofPod = this.#grants.get(uid) ?? new Map();
    this.#grants.set(uid, ofPod.set(container, cpus));
  }

  delete(uid: string, container: string): void {
    const ofPod = this.#grants.get(uid);
    ofPod?.delete(container);
    if (ofPod?.size === 0) this.#grants.delete(uid);
  }

  get grants(): CpuGrant[] {
    return [...this.#grants].flatMap(([uid, containers]) =>
      [...containers].map(([container, cpus]) => ({ uid, container, cpus })),
    );
  }

  /** What the containers of a pod have, all but one. */
  ofOthersIn(uid: string, container: string): CpuSet {
    const others = [...(this.#grants.get(uid) ?? [])].filter(([name]) => name !== container);
    return new Set(others.flatMap(([, cpus]) => [...cpus]));
  }

  /** Throws when it can't be written. */
  save(): void {
    const entries = [...this.#grants].map(([uid, containers]) => {
      const own = [...containers].map(([container, cpus]) => [container, formatCpuSet(cpus)]);
      return [uid, Object.fromEntries(own)];
    });
    const stored: Stored = {
      policyName: this.#policy,
      defaultCpuSet: formatCpuSet(this.shared),
      ...(entries.length > 0 ? { entries: Object.fromEntries(entries) } : {}),
    };
    writeState(this.#path, stored, form);
  }
}
