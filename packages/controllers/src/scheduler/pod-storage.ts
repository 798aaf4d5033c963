import {
  type Node,
  ownValue,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
  type TopologySelectorTerm,
} from '@wherry/kubeapi/objects';
import {
  isFullyBound,
  podClaims,
  storageAnnotations,
  storageClassOf,
  strangersClaim,
  volumeReaches,
} from '@wherry/podrules';
import { matchVolume, requestOf } from '../persistent-volume/match-volume.ts';
import { type CapacityView, hasCapacity } from './storage-capacity.ts';

/** What is known of a cluster's storage, by name or `namespace/name`. */
export interface StorageView extends CapacityView {
  claims: ReadonlyMap<string, PersistentVolumeClaim>;
  volumes: ReadonlyMap<string, PersistentVolume>;
  classes: ReadonlyMap<string, StorageClass>;
}

/** What is to be written before a pod may be bound to a node; then it waits for the binder and the provisioner. */
export interface StoragePlan {
  /** Volumes that are there, and the claims that get them. */
  bind: readonly { volume: PersistentVolume; claim: PersistentVolumeClaim }[];
  /** Claims whose volume is to be made for the node. */
  provision: readonly PersistentVolumeClaim[];
}

const selectedNodeOf = ({ metadata }: PersistentVolumeClaim): string | undefined =>
  metadata.annotations?.[storageAnnotations.selectedNode];
const noProvisioner = 'kubernetes.io/no-provisioner';
const reasons = {
  noVolume: "node(s) didn't find available persistent volumes to bind",
  noCapacity: 'node(s) did not have enough free storage',
  outOfReach: "node(s) didn't match PersistentVolume's node affinity",
  isLost: 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
} as const;

/** The claims of one pod, and which nodes they leave to it (upstream: the plug-in VolumeBinding). */
export class PodStorage {
  readonly #view: StorageView;
  readonly #bound: PersistentVolumeClaim[] = [];
  /** Those whose volume is to be found, or made. */
  readonly #waiting: PersistentVolumeClaim[] = [];
  /** Those whose volume is being made for a node. */
  readonly #chosen: PersistentVolumeClaim[] = [];
  /** Why no node will do, in upstream's words. */
  readonly message: string | undefined;

  constructor(pod: Pod, view: StorageView) {
    this.#view = view;
    this.message = this.#sort(pod);
  }

  /** Whether all claims have their volumes. */
  get isBound(): boolean {
    return this.#waiting.length + this.#chosen.length === 0;
  }

  /** Why the pod can't have its claims on that node; empty when it can. */
  misfits(node: Node): string[] {
    const bound = this.#boundMisfit(node);
    const plan = this.#plan(node);
    const isLost = bound === reasons.isLost;
    return [
      isLost ? undefined : bound,
      typeof plan === 'string' ? plan : undefined,
      isLost ? bound : undefined,
    ].filter((reason) => reason !== undefined);
  }

  /** The first of what keeps its volumes from the node. */
  #boundMisfit(node: Node): string | undefined {
    for (const { spec } of this.#bound) {
      const volume = this.#view.volumes.get(spec.volumeName ?? '');
      if (!volume) return reasons.isLost;
      if (!volumeReaches(volume, node)) return reasons.outOfReach;
    }
    return undefined;
  }

  /** What gives the claims that wait their volumes on the node; undefined when nothing does. */
  planFor(node: Node): StoragePlan | undefined {
    const plan = this.#plan(node);
    return typeof plan === 'string' ? undefined : plan;
  }

  #plan(node: Node): StoragePlan | string {
    if (this.#chosen.some((claim) => selectedNodeOf(claim) !== node.metadata.name)) return reasons.noVolume;
    const bind: { volume: PersistentVolume; claim: PersistentVolumeClaim }[] = [];
    const provision = [...this.#chosen];
    const taken = new Set<string>();
    for (const claim of this.#waiting) {
      const volume = matchVolume(claim, this.#view.volumes.values(), { waits: true, node, taken });
      if (!volume) provision.push(claim);
      else {
        taken.add(volume.metadata.name ?? '');
        bind.push({ volume, claim });
      }
    }
    for (const claim of provision) {
      const found = this.#view.classes.get(storageClassOf(claim));
      if (!found || !canProvision(found, node)) return reasons.noVolume;
      if (!hasCapacity(claim, { storageClass: found, node, view: this.#view })) return reasons.noCapacity;
    }
    return { bind, provision };
  }

  #sort(pod: Pod): string | undefined {
    const { claims, classes } = this.#view;
    let waitsForBinder = false;
    for (const { claimName, isEphemeral } of podClaims(pod)) {
      const claim = claims.get(`${pod.metadata.namespace}/${claimName}`);
      if (!claim && isEphemeral)
        return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${claimName}"`;
      if (!claim) return `persistentvolumeclaim "${claimName}" not found`;
      const { volumeName = '' } = claim.spec;
      if (claim.status?.phase === 'Lost')
        return `persistentvolumeclaim "${claimName}" bound to non-existent persistentvolume "${volumeName}"`;
      if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim "${claimName}" is being deleted`;
      const stranger = isEphemeral ? strangersClaim(pod, claim) : undefined;
      if (stranger !== undefined) return stranger;
      const mode = classes.get(storageClassOf(claim))?.volumeBindingMode;
      if (isFullyBound(claim)) this.#bound.push(claim);
      else if (mode !== 'WaitForFirstConsumer' || volumeName !== '') waitsForBinder = true;
      else if (selectedNodeOf(claim) === undefined) this.#waiting.push(claim);
      else this.#chosen.push(claim);
    }
    for (const claims of [this.#waiting, this.#chosen]) claims.sort((a, b) => requestOf(a).cmp(requestOf(b)));
    return waitsForBinder ? 'pod has unbound immediate PersistentVolumeClaims' : undefined;
  }
}

function canProvision({ provisioner, allowedTopologies = [] }: StorageClass, { metadata }: Node): boolean {
  if (provisioner === noProvisioner) return false;
  const labels = metadata.labels ?? {};
  return allowedTopologies.length === 0 || allowedTopologies.some((term) => matchesTopology(term, labels));
}

function matchesTopology(
  { matchLabelExpressions = [] }: TopologySelectorTerm,
  labels: Readonly<Record<string, string>>,
): boolean {
  return matchLabelExpressions.every(({ key, values = [] }) => {
    const value = ownValue(labels, key);
    return value !== undefined && values.includes(value);
  });
}
