/** What a defect is tried with: where the cluster is, and what its scripted part needs. */
export interface Surroundings {
  /** File that both clients read. */
  kubeconfig: string;
  namespace: string;
}

/** Tries one thing and says in words what came of it. */
export type Attempt = (surroundings: Surroundings) => Promise<string>;

/** How long something may take that does not come by itself. */
export const patienceMs = 4_000;

/** Settles with `otherwise` when `promise` does not in time. */
export function within<T>(promise: Promise<T>, otherwise: T): Promise<T> {
  return Promise.race([promise, new Promise<T>((resolve) => setTimeout(resolve, patienceMs, otherwise))]);
}

export const pause = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs));
