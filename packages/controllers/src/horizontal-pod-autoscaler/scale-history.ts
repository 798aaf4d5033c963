interface Stamped {
  atMs: number;
  value: number;
}

/** What was recommended for a target, and by how much it was scaled, as far back as its rules look. */
export class ScaleHistory {
  #recommendations: Stamped[] = [];
  #changes: Stamped[] = [];

  /** Whether nothing was recommended yet. */
  get isNew(): boolean {
    return this.#recommendations.length === 0;
  }

  recommended(replicas: number, atMs: number): void {
    this.#recommendations.push({ atMs, value: replicas });
  }

  /** Replicas were added, or removed where `change` is below 0. */
  scaled(change: number, atMs: number): void {
    this.#changes.push({ atMs, value: change });
  }

  /** Recommendations later than so long ago. */
  since(windowMs: number, nowMs: number): number[] {
    return this.#recommendations.filter(({ atMs }) => atMs > nowMs - windowMs).map(({ value }) => value);
  }

  /** By how many replicas the target grew, less those it lost, since so long ago. */
  growth(periodMs: number, nowMs: number): number {
    return this.#changes
      .filter(({ atMs }) => atMs > nowMs - periodMs)
      .reduce((sum, { value }) => sum + value, 0);
  }

  /** Forgets what lies further back. */
  prune(keptMs: number, nowMs: number): void {
    const isKept = ({ atMs }: Stamped) => atMs > nowMs - keptMs;
    this.#recommendations = this.#recommendations.filter(isKept);
    this.#changes = this.#changes.filter(isKept);
  }
}
