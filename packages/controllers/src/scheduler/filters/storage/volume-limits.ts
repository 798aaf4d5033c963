import type { CSINode, PersistentVolumeClaim } from '@wherry/kubeapi/objects';
import { storageClassOf } from '@wherry/podrules';
import type { KnownObjects } from '../../cluster/known-objects.ts';
import type { NodeRoom } from '../../cluster/node-room.ts';
import { type FilterPlugin, type PodFilter, type Refusal, refuse } from '../filter-plugin.ts';

const refused = refuse('node(s) exceed max volume count');

/** How many volumes of a CSI driver a node can have at once, as its CSINode says. */
export const volumeLimits: FilterPlugin = {
  name: 'NodeVolumeLimits',
  helpedBy: ['node', 'pod-gone', 'storage'],
  prepare({ claims }, { objects }) {
    const wanted = driversOf(claims, objects);
    return wanted.size === 0 ? undefined : new LimitFilter(wanted, objects);
  },
};

class LimitFilter implements PodFilter {
  readonly #wanted: ReadonlyMap<string, string>;
  readonly #objects: KnownObjects;
  /** Volumes that are attached to each node, and their drivers. */
  readonly #attached = new Map<string, Map<string, string>>();

  constructor(wanted: ReadonlyMap<string, string>, objects: KnownObjects) {
    this.#wanted = wanted;
    this.#objects = objects;
    for (const { spec } of objects.attachments.values()) {
      const csi = objects.volumes.get(spec.source.persistentVolumeName ?? '')?.spec.csi;
      if (!csi) continue;
      const volumes = this.#attached.get(spec.nodeName) ?? new Map<string, string>();
      this.#attached.set(spec.nodeName, volumes.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver));
    }
  }

  refusal({ name, pods }: NodeRoom): Refusal | undefined {
    const limits = limitsOf(this.#objects.csiNodes.get(name));
    if (limits.size === 0) return undefined;
    const inUse = new Map([...pods.values()].flatMap(({ claims }) => [...driversOf(claims, this.#objects)]));
    const present = new Map([...inUse, ...(this.#attached.get(name) ?? [])]);
    const isOver = [...limits].some(([driver, limit]) => {
      const news = [...this.#wanted].filter(([volume, its]) => its === driver && !inUse.has(volume)).length;
      const olds = [...present.values()].filter((its) => its === driver).length;
      return news > 0 && olds + news > limit;
    });
    return isOver ? refused : undefined;
  }
}

function limitsOf(csiNode: CSINode | undefined): Map<string, number> {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of csiNode?.spec.drivers ?? [])
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  return limits;
}

/** The CSI volumes of claims, and their drivers. A claim without its volume counts as one of its class's provisioner. */
function driversOf(claims: readonly string[], objects: KnownObjects): Map<string, string> {
  const drivers = new Map<string, string>();
  for (const key of claims) {
    const claim = objects.claims.get(key);
    const volume = objects.volumes.get(claim?.spec.volumeName ?? '');
    const driver = volume ? volume.spec.csi?.driver : claim && provisionerOf(claim, objects);
    if (driver) drivers.set(`${driver}/${volume?.spec.csi?.volumeHandle ?? key}`, driver);
  }
  return drivers;
}

function provisionerOf(claim: PersistentVolumeClaim, { classes }: KnownObjects): string | undefined {
  return classes.get(storageClassOf(claim))?.provisioner;
}
