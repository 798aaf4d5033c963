import { kinds } from '@wherry/client';
import {
  type ControllerRevision,
  type DaemonSet,
  matcherFrom,
  ownValue,
  type Pod,
} from '@wherry/kubeapi/objects';
import {
  isSameRevision,
  RevisionHistory,
  type RevisionParts,
  revisionHashLabel,
} from '../ownership/revision-history.ts';

/** What a set's pods are told by that are of one revision. */
export function hashOf({ metadata }: ControllerRevision | Pod): string {
  return ownValue(metadata.labels, revisionHashLabel) ?? '';
}

/** What was made of a set's templates. */
export interface DaemonRevisions {
  /** Of the present template. */
  revision: ControllerRevision;
  /** Of all earlier ones, the oldest first. */
  old: readonly ControllerRevision[];
  collisionCount: number;
}

/** The templates that daemon sets have had (upstream: constructHistory and cleanupHistory). */
export class DaemonHistory {
  readonly #parts: Omit<RevisionParts, 'hashLabel'>;
  readonly #revisions: RevisionHistory;

  constructor(parts: Omit<RevisionParts, 'hashLabel'>) {
    this.#parts = parts;
    this.#revisions = new RevisionHistory({ ...parts, hashLabel: revisionHashLabel });
  }

  /** The set's revisions: each has a hash, and no two are of one template. */
  async of(set: DaemonSet, pods: readonly Pod[], signal: AbortSignal): Promise<DaemonRevisions> {
    const listed = await this.#revisions.list(set, matcherFrom(set.spec.selector), signal);
    const known: ControllerRevision[] = [];
    for (const each of listed) known.push(await this.#withHash(each, signal));
    const { revision, collisionCount } = await this.#revisions.sync(set, known, {
      collisionCount: set.status?.collisionCount ?? 0,
      signal,
    });
    const others = known.filter(({ metadata }) => metadata.name !== revision.metadata.name);
    const isDouble = ({ data }: ControllerRevision) => isSameRevision(data, revision.data);
    await this.#dropDoubles(others.filter(isDouble), revision, pods, signal);
    return { revision, old: others.filter((each) => !isDouble(each)), collisionCount };
  }

  /** Deletes the oldest of too many old revisions; those that pods are of count, and stay. */
  async truncate(
    { spec }: DaemonSet,
    old: readonly ControllerRevision[],
    pods: readonly Pod[],
    signal: AbortSignal,
  ): Promise<void> {
    const hashes = new Set(pods.map(hashOf));
    const live = old.filter((each) => hashes.has(hashOf(each)));
    const kept = (spec.revisionHistoryLimit ?? 10) - live.length;
    const names = new Set(live.map(({ metadata }) => metadata.name ?? ''));
    await this.#revisions.truncate(old, { live: names, kept, signal });
  }

  /** One that was made by somebody else may have none: its name takes the place. */
  async #withHash(revision: ControllerRevision, signal: AbortSignal): Promise<ControllerRevision> {
    if (hashOf(revision) !== '') return revision;
    const { name = '', namespace } = revision.metadata;
    const patch = { metadata: { labels: { [revisionHashLabel]: name } } };
    const resource = this.#parts.client.resource(kinds.controllerRevisions);
    return resource.patch({ name, namespace, type: 'merge', patch, signal });
  }

  /** Pods of a revision that goes are of the one that stays. */
  async #dropDoubles(
    doubles: readonly ControllerRevision[],
    kept: ControllerRevision,
    pods: readonly Pod[],
    signal: AbortSignal,
  ): Promise<void> {
    if (doubles.length === 0) return;
    const hash = hashOf(kept);
    const hashes = new Set(doubles.map(hashOf).filter((each) => each !== hash));
    const patch = { metadata: { labels: { [revisionHashLabel]: hash } } };
    for (const { metadata } of pods.filter((pod) => hashes.has(hashOf(pod)))) {
      const { name = '', namespace } = metadata;
      await this.#parts.client.resource(kinds.pods).patch({ name, namespace, type: 'merge', patch, signal });
    }
    await this.#revisions.truncate(doubles, { live: new Set(), kept: 0, signal });
  }
}
