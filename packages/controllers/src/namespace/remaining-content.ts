/** What is counted of an object. */
export interface RemainingObject {
  metadata?: { finalizers?: string[]; deletionTimestamp?: string };
}

/** What is still in a namespace that is being deleted. */
export class ContentCount {
  /** Objects by kind, as `pods.` or `deployments.apps`. */
  readonly kinds = new Map<string, number>();
  /** Objects that a finalizer keeps, by its name. */
  readonly finalizers = new Map<string, number>();
  /** What went wrong, and what is there although nothing keeps it. */
  readonly failures: string[] = [];

  /** Counts objects of `kind`. True when one of them should be gone by now: no finalizer keeps it, and its time is over. */
  add(kind: string, objects: readonly RemainingObject[], nowMs: number): boolean {
    if (objects.length === 0) return false;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + objects.length);
    for (const { metadata } of objects)
      for (const name of metadata?.finalizers ?? [])
        this.finalizers.set(name, (this.finalizers.get(name) ?? 0) + 1);
    return objects.some(({ metadata }) => {
      const isKept = (metadata?.finalizers ?? []).length > 0;
      return !isKept && !(Date.parse(metadata?.deletionTimestamp ?? '') > nowMs);
    });
  }

  get isEmpty(): boolean {
    return this.kinds.size === 0 && this.failures.length === 0;
  }
}
