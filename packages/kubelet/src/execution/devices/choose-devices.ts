/** What devices for a container are chosen from. */
export interface DeviceNeed {
  resource: string;
  /** How many it asks for. */
  required: number;
  /** Devices that it has already. */
  held: ReadonlySet<string> | undefined;
  /** Devices of init containers of its pod that have ended by then. */
  reusable: ReadonlySet<string>;
  /** Whether the resource is known at all. */
  isKnown: boolean;
  healthy: readonly string[];
  /** Devices that containers have. */
  taken: ReadonlySet<string>;
}

/** Devices that go to a container for certain, those that its others are taken from, and how many are missing. */
export interface DeviceChoices {
  certain: string[];
  available: string[];
  missing: number;
}

/** What is to be given to a container; undefined for nothing. Throws, in upstream's words, when it can't have it. */
export function chooseDevices(need: DeviceNeed): DeviceChoices | undefined {
  const { resource, required, held, healthy, taken } = need;
  if (held && held.size !== required)
    throw new Error(`it changed its request for resource "${resource}" from ${held.size} to ${required}`);
  if (!need.isKnown) throw new Error(`cannot allocate unregistered device ${resource}`);
  if (healthy.length === 0)
    throw new Error(`no healthy devices present; cannot allocate unhealthy devices ${resource}`);
  if (held?.isSubsetOf(new Set(healthy)) === false)
    throw new Error(
      `previously allocated devices are no longer healthy; cannot allocate unhealthy devices ${resource}`,
    );
  if (held) return undefined;
  const certain = [...need.reusable].sort().slice(0, required);
  const available = healthy.filter((id) => !taken.has(id)).sort();
  const missing = required - certain.length;
  if (available.length < missing)
    throw new Error(
      `requested number of devices unavailable for ${resource}. Requested: ${missing}, Available: ${available.length}`,
    );
  return { certain, available, missing };
}
