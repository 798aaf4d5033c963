import type { AssignedPod } from '../pod/assigned-pod.ts';

/** What may happen to a pod that somebody else has to hear of. */
export interface PodSignalHandlers {
  /** The runtime: its containers or sandboxes changed, at that wall-clock time if it is known. */
  podChanged(uid: string, changedAtMs?: number): void;
  /** A probe: its verdict turned. */
  probeTurned(uid: string): void;
  /** The API server: a ConfigMap or Secret that the pod reads appeared, changed or went. */
  objectChanged(uid: string): void;
  /** Its worker has nothing more to do. */
  podFinished(pod: AssignedPod): void;
  /** The whole runtime was listed: these are the pods that it holds. */
  relisted(uids: readonly string[]): void;
}

type Listener = Partial<PodSignalHandlers>;

interface Waiting {
  tell(listener: Listener): void;
  changedAtMs: number;
}

/**
 * Where the parts of the kubelet tell each other of pods. It is built before all of them, so that none has to know who
 * comes later. A signal reaches its listeners before the call returns; one that is given while another is being told
 * waits for that one to have reached everybody. Of each kind and pod at most one waits: the newest.
 */
export class PodSignals implements PodSignalHandlers {
  readonly #listeners: Listener[] = [];
  readonly #waiting = new Map<string, Waiting>();
  #isTelling = false;

  /** From now on `listener` hears of what it has a method for, after those who listened before. */
  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  podChanged(uid: string, changedAtMs = Number.POSITIVE_INFINITY): void {
    const key = `changed ${uid}`;
    const newestMs = Math.max(this.#waiting.get(key)?.changedAtMs ?? changedAtMs, changedAtMs);
    this.#give(key, (listener) => listener.podChanged?.(uid, newestMs), newestMs);
  }

  probeTurned(uid: string): void {
    this.#give(`probe ${uid}`, (listener) => listener.probeTurned?.(uid));
  }

  objectChanged(uid: string): void {
    this.#give(`object ${uid}`, (listener) => listener.objectChanged?.(uid));
  }

  podFinished(pod: AssignedPod): void {
    this.#give(`finished ${pod.metadata.uid}`, (listener) => listener.podFinished?.(pod));
  }

  relisted(uids: readonly string[]): void {
    this.#give('relisted', (listener) => listener.relisted?.(uids));
  }

  #give(key: string, tell: (listener: Listener) => void, changedAtMs = 0): void {
    this.#waiting.set(key, { tell, changedAtMs });
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (const [next, { tell }] of this.#waiting) {
        this.#waiting.delete(next);
        for (const listener of this.#listeners) tell(listener);
      }
    } finally {
      this.#isTelling = false;
    }
  }
}
