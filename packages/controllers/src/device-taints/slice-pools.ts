import type { ResourceSlice } from '@wherry/kubeapi/objects';

/** Slices by the pool that they tell of: how many there are elsewhere is of no matter to a pod. */
export class SlicePools {
  readonly #pools = new Map<string, Map<string, ResourceSlice>>();

  put(slice: ResourceSlice, previous?: ResourceSlice): void {
    if (previous) this.delete(previous);
    const key = keyOf(slice.spec.driver, slice.spec.pool.name);
    const pool = this.#pools.get(key) ?? new Map<string, ResourceSlice>();
    this.#pools.set(key, pool.set(slice.metadata?.name ?? '', slice));
  }

  delete({ metadata, spec }: ResourceSlice): void {
    const key = keyOf(spec.driver, spec.pool.name);
    const pool = this.#pools.get(key);
    pool?.delete(metadata?.name ?? '');
    if (pool?.size === 0) this.#pools.delete(key);
  }

  /** All that a driver has said of a pool, of older generations too. */
  of(driver: string, pool: string): Iterable<ResourceSlice> {
    return this.#pools.get(keyOf(driver, pool))?.values() ?? [];
  }
}

const keyOf = (driver: string, pool: string) => JSON.stringify([driver, pool]);
