import type { Device } from '../../generated/dra-plugin.ts';

/** A claim on devices that this node prepares, or has prepared, for pods. */
export interface PreparedClaim {
  uid: string;
  name: string;
  namespace: string;
  /** UIDs of the pods that use it. */
  pods: ReadonlySet<string>;
  /** What each driver of the allocation has said; empty before it was asked. */
  devices: ReadonlyMap<string, readonly Device[]>;
}

/** The claims of the node, by namespace and name. */
export class PreparedClaims {
  readonly #claims = new Map<string, PreparedClaim>();
  /** UIDs of those that this kubelet has prepared: of others it does not know whether their drivers still do. */
  readonly #ready = new Set<string>();

  get all(): PreparedClaim[] {
    return [...this.#claims.values()];
  }

  get(namespace: string, name: string): PreparedClaim | undefined {
    return this.#claims.get(keyOf({ namespace, name }));
  }

  set(claim: PreparedClaim): void {
    this.#claims.set(keyOf(claim), claim);
  }

  delete(claim: PreparedClaim): void {
    this.#claims.delete(keyOf(claim));
    this.#ready.delete(claim.uid);
  }

  isReady({ uid }: PreparedClaim): boolean {
    return this.#ready.has(uid);
  }

  setReady({ uid }: PreparedClaim): void {
    this.#ready.add(uid);
  }

  /** Those that the pod uses. */
  ofPod(uid: string): PreparedClaim[] {
    return this.all.filter(({ pods }) => pods.has(uid));
  }

  /** How many are ready, by driver; of all together under `<any>`. */
  get inUse(): Map<string, number> {
    const ready = this.all.filter((claim) => this.isReady(claim));
    const counts = new Map([['<any>', ready.length]]);
    for (const driver of ready.flatMap(({ devices }) => [...devices.keys()]))
      counts.set(driver, (counts.get(driver) ?? 0) + 1);
    return counts;
  }
}

/** A claim's place in the cluster. */
export const keyOf = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`;
