import { isDeepStrictEqual } from 'node:util';
import {
  controllerOf,
  controllerReference,
  type KubeClient,
  type KubeObject,
  keyOf,
  kinds,
  type ResourceType,
} from '@wherry/client';
import {
  type ControllerRevision,
  goJson,
  hasReason,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LabelMatcher,
  type PodTemplateSpec,
} from '@wherry/kubeapi/objects';
import { isLateWrite } from '../machinery/late-write.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';
import { claim } from './claim.ts';
import { compareText } from './compare-text.ts';
import type { OwnWrites } from './own-writes.ts';
import { canonical, fnv1, safeText } from './template-hash.ts';

/** The label by which the pods of one revision are told from those of another. */
export const revisionHashLabel = 'controller-revision-hash';

/** Whose revisions are kept. */
export interface RevisedObject extends KubeObject {
  spec: { template: PodTemplateSpec };
}

/** Whose revisions they are, and how they are reached. */
export interface RevisionParts {
  client: KubeClient;
  ownerType: ResourceType;
  /** The label in which a revision carries its own hash. */
  hashLabel: string;
  revisions: InformerHandle<ControllerRevision>;
  writes: OwnWrites;
}

/**
 * What a revision says: a strategic patch that brings the template back. Its fields are in Go's order, since upstream's
 * controllers and suite tell a revision of the present template by its bytes (pkg/controller/daemon/update.go, Match).
 */
export function revisionData({ spec }: RevisedObject): JsonObject {
  const template = { ...spec.template, $patch: 'replace' };
  return inOrder({ spec: { template } } as unknown as JsonObject) as JsonObject;
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

/** The template that a revision brings back. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { spec } = data as unknown as { spec?: { template?: PodTemplateSpec & { $patch?: string } } };
  const { $patch: _patch, ...template } = spec?.template ?? {};
  return template;
}

/** Of two revisions of one number the one that was made first is the older. */
export function olderFirst(a: ControllerRevision, b: ControllerRevision): number {
  return (
    a.revision - b.revision ||
    compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
    compareText(a.metadata.name, b.metadata.name)
  );
}

/** Whether two revisions bring back the same template. */
export function isSameRevision(a: ControllerRevision['data'], b: ControllerRevision['data']): boolean {
  return isDeepStrictEqual(canonical(a), canonical(b));
}

/** The hash of what a revision says, byte for byte: the same as upstream's (HashControllerRevision). */
export function revisionHash(data: JsonObject, collisionCount: number): string {
  return safeText(fnv1(Buffer.from(goJson(data) + String(collisionCount))));
}

/** The templates that objects of one kind have had, as ControllerRevisions. */
export class RevisionHistory {
  readonly #parts: RevisionParts;

  constructor(parts: RevisionParts) {
    this.#parts = parts;
  }

  /** The object's revisions, the oldest first; orphans that it selects are adopted. */
  async list(owner: KubeObject, matcher: LabelMatcher, signal: AbortSignal): Promise<ControllerRevision[]> {
    const { revisions, client, ownerType, writes } = this.#parts;
    const { uid, namespace = '' } = owner.metadata ?? {};
    const candidates = [...revisions.controlledBy(uid), ...revisions.uncontrolledIn(namespace)];
    const claimed = await claim(candidates, {
      ...{ client, owner, ownerType, type: kinds.controllerRevisions, matcher, signal },
      wrote: (revision) => writes.wrote(keyOf(owner), revisions, revision),
    });
    return claimed.sort(olderFirst);
  }

  /**
   * The revision of the object's present template: one that is there, made the newest, or a new one. Answers how often
   * names have collided as well.
   */
  async sync(
    owner: RevisedObject,
    known: readonly ControllerRevision[],
    options: { collisionCount: number; annotations?: Record<string, string>; signal: AbortSignal },
  ): Promise<{ revision: ControllerRevision; collisionCount: number }> {
    const { collisionCount, signal } = options;
    const data = revisionData(owner);
    const number = (known.at(-1)?.revision ?? 0) + 1;
    const same = known.filter((each) => isSameRevision(each.data, data)).at(-1);
    if (!same) return this.#create(owner, { data, number, ...options });
    if (same === known.at(-1)) return { revision: same, collisionCount };
    const resource = this.#parts.client.resource(kinds.controllerRevisions);
    const updated = await resource.update({ ...same, revision: number }, { signal });
    this.#parts.writes.wrote(keyOf(owner), this.#parts.revisions, updated);
    return { revision: updated, collisionCount };
  }

  /** Deletes the oldest revisions that nothing is of any more, until so many of these are kept. */
  async truncate(
    known: readonly ControllerRevision[],
    { live, kept, signal }: { live: ReadonlySet<string>; kept: number; signal: AbortSignal },
  ): Promise<void> {
    const idle = known.filter(({ metadata }) => !live.has(metadata.name ?? ''));
    for (const { metadata } of idle.slice(0, Math.max(0, idle.length - kept))) {
      const { name = '', namespace, uid = '' } = metadata;
      try {
        const resource = this.#parts.client.resource(kinds.controllerRevisions);
        await resource.delete({ name, namespace }, { preconditions: { uid }, signal });
      } catch (error) {
        if (!isLateWrite(error)) throw error;
      }
    }
  }

  async #create(
    owner: RevisedObject,
    options: {
      data: JsonObject;
      number: number;
      collisionCount: number;
      annotations?: Record<string, string>;
      signal: AbortSignal;
    },
  ): Promise<{ revision: ControllerRevision; collisionCount: number }> {
    const { data, number, annotations, signal } = options;
    const { name = '', namespace = '' } = owner.metadata ?? {};
    const resource = this.#parts.client.resource(kinds.controllerRevisions);
    for (let { collisionCount } = options; ; collisionCount += 1) {
      const hash = revisionHash(data, collisionCount);
      const labels = { ...owner.spec.template.metadata?.labels, [this.#parts.hashLabel]: hash };
      const ownerReferences = [controllerReference(this.#parts.ownerType, owner)];
      const revision: ControllerRevision = {
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: {
          ...{ name: `${name.slice(0, 223)}-${hash}`, namespace, labels, ownerReferences },
          annotations: { ...owner.metadata?.annotations, ...annotations },
        },
        data,
        revision: number,
      };
      try {
        const created = await resource.create(revision, { signal });
        this.#parts.writes.wrote(keyOf(owner), this.#parts.revisions, created);
        return { revision: created, collisionCount };
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists')) throw error;
        const other = await resource.get({ name: revision.metadata.name ?? '', namespace, signal });
        const isOurs = controllerOf(other)?.uid === owner.metadata?.uid;
        if (isOurs && isSameRevision(other.data, data)) return { revision: other, collisionCount };
      }
    }
  }
}
