import {
  matcherFrom,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  parseQuantity,
  type Quantity,
} from '@wherry/kubeapi/objects';
import { isVolumeOf, storageClassOf, volumeReaches } from '@wherry/podrules';

/** How a volume is looked for. */
export interface Search {
  /** The claim's class waits for a pod: only a volume that is kept for the claim will do, unless a node is named. */
  waits: boolean;
  /** The node that must reach it, when a scheduler asks. */
  node?: Node;
  /** Volumes that other claims of the same pod get. */
  taken?: ReadonlySet<string>;
}

const none = parseQuantity('0');
const amount = (text: string | undefined): Quantity => (text === undefined ? none : parseQuantity(text));
const capacityOf = ({ spec }: PersistentVolume) => amount(spec.capacity?.['storage']);
/** What the claim asks for. */
export const requestOf = ({ spec }: PersistentVolumeClaim) => amount(spec.resources?.requests?.['storage']);
const modesOf = ({ spec }: PersistentVolume) => spec.accessModes ?? [];

/** Whether the volume and the claim are both file systems, or both devices. */
export function haveSameMode({ spec }: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return (spec.volumeMode ?? 'Filesystem') === (volume.spec.volumeMode ?? 'Filesystem');
}

function offersModes({ spec }: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return (spec.accessModes ?? []).every((mode) => modesOf(volume).includes(mode));
}

function haveSameAttributes({ spec }: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return (spec.volumeAttributesClassName ?? '') === (volume.spec.volumeAttributesClassName ?? '');
}

/** Why a claim can't have the volume that it names, in upstream's words; undefined when it can. */
export function mismatch(claim: PersistentVolumeClaim, volume: PersistentVolume): string | undefined {
  if (volume.metadata.deletionTimestamp)
    return `the volume is marked for deletion "${volume.metadata.name ?? ''}"`;
  if (capacityOf(volume).value() < requestOf(claim).value()) return 'requested PV is too small';
  if (storageClassOf(volume) !== storageClassOf(claim)) return 'storageClassName does not match';
  if (!haveSameAttributes(claim, volume)) return 'volumeAttributesClassName does not match';
  if (!haveSameMode(claim, volume)) return 'incompatible volumeMode';
  if (!offersModes(claim, volume)) return 'incompatible accessMode';
  return undefined;
}

/**
 * The volume that is kept for the claim, else the best that is free: with the fewest access modes beyond the wanted, then
 * the smallest (upstream: FindMatchingVolume).
 */
export function matchVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  { waits, node, taken }: Search,
): PersistentVolume | undefined {
  const candidates = [...volumes].filter(
    (volume) =>
      !taken?.has(volume.metadata.name ?? '') &&
      (!volume.spec.claimRef || isVolumeOf(volume, claim)) &&
      !volume.metadata.deletionTimestamp &&
      capacityOf(volume).cmp(requestOf(claim)) >= 0 &&
      haveSameMode(claim, volume) &&
      offersModes(claim, volume) &&
      haveSameAttributes(claim, volume),
  );
  const isReached = (volume: PersistentVolume) => !node || volumeReaches(volume, node);
  const kept = candidates.find((volume) => isVolumeOf(volume, claim));
  if (kept) return isReached(kept) ? kept : undefined;
  if (waits && !node) return undefined;
  const matcher = claim.spec.selector && matcherFrom(claim.spec.selector);
  const free = candidates.filter(
    (volume) =>
      volume.status?.phase === 'Available' &&
      (!matcher || matcher.matches(volume.metadata.labels)) &&
      storageClassOf(volume) === storageClassOf(claim) &&
      isReached(volume),
  );
  const [best] = free.sort(
    (a, b) => modesOf(a).length - modesOf(b).length || capacityOf(a).cmp(capacityOf(b)),
  );
  return best;
}
