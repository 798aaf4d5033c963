/**
 * Where a pod is on its way. It only moves forward: `syncing` keeps containers as the spec says, `terminating` stops
 * them, `terminated` clears what is left, `finished` needs nothing more.
 */
export type WorkerPhase = 'syncing' | 'terminating' | 'terminated' | 'finished';

/** How far each pod is: its worker says it, everybody may ask. */
export class WorkerPhases {
  readonly #workers = new Map<string, { readonly phase: WorkerPhase }>();

  /** Undefined for a pod that has no worker. */
  of(uid: string): WorkerPhase | undefined {
    return this.#workers.get(uid)?.phase;
  }

  /** From now on this worker speaks for the pod. */
  follow(uid: string, worker: { readonly phase: WorkerPhase }): void {
    this.#workers.set(uid, worker);
  }

  forget(uid: string): void {
    this.#workers.delete(uid);
  }
}
