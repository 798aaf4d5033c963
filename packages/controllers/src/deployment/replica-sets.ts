import { type Deployment, ownValue, type ReplicaSet } from '@wherry/kubeapi/objects';
import { isSameTemplate } from '../ownership/template-hash.ts';

/** Annotations by which a deployment and its replica sets know each other's state (upstream: deployment_util.go). */
export const annotations = {
  revision: 'deployment.kubernetes.io/revision',
  revisionHistory: 'deployment.kubernetes.io/revision-history',
  desiredReplicas: 'deployment.kubernetes.io/desired-replicas',
  maxReplicas: 'deployment.kubernetes.io/max-replicas',
  rollbackTo: 'deprecated.deployment.rollback.to',
} as const;

/** What a deployment keeps to itself; all its other annotations are its newest replica set's as well. */
const ownAnnotations = new Set<string>([
  ...Object.values(annotations),
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/** Whether a deployment keeps that annotation to itself. */
export const isOwnAnnotation = (key: string): boolean => ownAnnotations.has(key);

const revisionHistoryLength = 2000;

/** How many pods a replica set is asked for. */
export const sizeOf = ({ spec }: ReplicaSet): number => spec.replicas ?? 1;

/** The sum of something over replica sets. */
export function total(sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number {
  return sets.reduce((sum, set) => sum + of(set), 0);
}

/** Oldest first. */
export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const createdAt = ({ metadata }: ReplicaSet) => metadata.creationTimestamp ?? '';
  return (
    createdAt(a).localeCompare(createdAt(b)) || (a.metadata.name ?? '').localeCompare(b.metadata.name ?? '')
  );
}

/** A replica set's revision; 0 when it has none, undefined when it is no number of 64 bits. */
export function revisionOf({ metadata }: ReplicaSet): bigint | undefined {
  return parseRevision(metadata.annotations?.[annotations.revision] ?? '0');
}

/** A number of 64 bits; undefined when the text is none. */
export function parseRevision(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const revision = BigInt(text);
  return BigInt.asIntN(64, revision) === revision ? revision : undefined;
}

/** Lowest revision first. */
export function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [one, other] = [revisionOf(a) ?? 0n, revisionOf(b) ?? 0n];
  if (one === other) return byAge(a, b);
  return one < other ? -1 : 1;
}

/** A number that an annotation holds; undefined when there is none. */
export function countIn({ metadata }: ReplicaSet, key: string): number | undefined {
  const text = ownValue(metadata.annotations, key) ?? '';
  return /^\d+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

/** A deployment's replica sets: the oldest that has its template, and all others. */
export function partition(
  { spec }: Deployment,
  sets: readonly ReplicaSet[],
): { current: ReplicaSet | undefined; old: ReplicaSet[] } {
  const ordered = [...sets].sort(byAge);
  const current = ordered.find((set) => isSameTemplate(set.spec.template ?? {}, spec.template));
  return { current, old: ordered.filter((set) => set !== current) };
}

/** As many of the last revisions as there is room for, between commas. */
function lastOf(revisions: readonly string[]): string {
  let first = revisions.length;
  for (let length = -1; first > 0; first--) {
    length += revisions[first - 1]!.length + 1;
    if (length > revisionHistoryLength) break;
  }
  return revisions.slice(first).join(',');
}

/** The annotations that the newest replica set is to have. */
export function currentAnnotations(
  deployment: Deployment,
  known: Readonly<Record<string, string>>,
  newRevision: bigint,
): Record<string, string> {
  const passedOn = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !ownAnnotations.has(key),
  );
  const next: Record<string, string> = { ...known, ...Object.fromEntries(passedOn) };
  const oldText = known[annotations.revision];
  const oldRevision = parseRevision(oldText ?? '0');
  if (oldRevision === undefined) return { ...known };
  if (oldRevision >= newRevision) return next;
  next[annotations.revision] = String(newRevision);
  if (oldText !== undefined) {
    const history = (known[annotations.revisionHistory] ?? '').split(',').filter((each) => each !== '');
    next[annotations.revisionHistory] = lastOf([...history, oldText]);
  }
  return next;
}
