import type { ContainerAllocateResponse } from '../../generated/device-plugin.ts';

/** The node that devices without one are filed under. */
export const noNode = -1;

/** Devices of one resource that a container has. */
export interface DeviceGrant {
  /** By memory node of the machine, {@link noNode} among them; one that is near to several stands under each. */
  idsByNode: ReadonlyMap<number, readonly string[]>;
  /** What the plug-in wants the container to be given. */
  response: ContainerAllocateResponse;
}

/** One grant, and whose it is. */
export interface GrantEntry {
  uid: string;
  container: string;
  resource: string;
  grant: DeviceGrant;
}

/** The devices of a grant, each once. */
export function idsOf({ idsByNode }: DeviceGrant): ReadonlySet<string> {
  return new Set([...idsByNode.values()].flat());
}

/** Which containers have which devices. */
export class DeviceGrants {
  readonly #entries = new Map<string, GrantEntry>();

  get entries(): Iterable<GrantEntry> {
    return this.#entries.values();
  }

  get(uid: string, container: string, resource: string): DeviceGrant | undefined {
    return this.#entries.get(keyOf({ uid, container, resource }))?.grant;
  }

  set(entry: GrantEntry): void {
    this.#entries.set(keyOf(entry), entry);
  }

  /** All grants of a container, by the name of the resource. */
  of(uid: string, container: string): GrantEntry[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.uid === uid && entry.container === container)
      .sort((a, b) => (a.resource < b.resource ? -1 : 1));
  }

  /** Whether any device of the resource was given away. */
  has(resource: string): boolean {
    return [...this.#entries.values()].some((entry) => entry.resource === resource);
  }

  /** Devices of a resource that containers have. */
  taken(resource: string): Set<string> {
    const grants = [...this.#entries.values()].filter((entry) => entry.resource === resource);
    return new Set(grants.flatMap(({ grant }) => [...idsOf(grant)]));
  }

  /** UIDs of the pods that have one of these devices. */
  holders(resource: string, ids: ReadonlySet<string>): Set<string> {
    const grants = [...this.#entries.values()].filter((entry) => entry.resource === resource);
    return new Set(grants.filter(({ grant }) => !idsOf(grant).isDisjointFrom(ids)).map(({ uid }) => uid));
  }

  /** Takes back what pods have that are not kept; answers whether there was anything. */
  keep(isKept: (uid: string) => boolean): boolean {
    const gone = [...this.#entries].filter(([, { uid }]) => !isKept(uid));
    for (const [key] of gone) this.#entries.delete(key);
    return gone.length > 0;
  }
}

const keyOf = ({ uid, container, resource }: Omit<GrantEntry, 'grant'>) => `${uid} ${container} ${resource}`;
