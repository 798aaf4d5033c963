import { isDeepStrictEqual } from 'node:util';
import { controllerOf, controllerReference, type KubeClient, keyOf, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { type Deployment, hasReason, type ReplicaSet } from '@wherry/kubeapi/objects';
import type { EventRecorder, ObjectEvent } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { withCondition } from '../ownership/conditions.ts';
import type { OwnWrites } from '../ownership/own-writes.ts';
import { isNamespaceGoing } from '../ownership/pod-writes.ts';
import { isSameTemplate, podTemplateHashLabel, templateHash } from '../ownership/template-hash.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';
import { conditionNow, hasDeadline, progressOf, progressReasons } from './deployment-status.ts';
import { annotations, currentAnnotations, revisionOf, sizeOf } from './replica-sets.ts';
import { currentSize, fenceposts } from './rollout-sizes.ts';

interface Parts {
  client: KubeClient;
  clock: Clock;
  recorder: EventRecorder;
  sets: InformerHandle<ReplicaSet>;
  writes: OwnWrites;
}

/** A deployment and its replica sets; what is noted in the deployment's status and annotations is written later. */
export interface Rollout {
  deployment: Deployment;
  current: ReplicaSet | undefined;
  old: readonly ReplicaSet[];
  signal: AbortSignal;
}

const nameMax = 253;

/** Creates, changes and deletes the replica sets of deployments, with upstream's events. */
export class ReplicaSetWrites {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  tell(deployment: Deployment, event: ObjectEvent): void {
    this.#parts.recorder.recordOf(kinds.deployments, deployment, event);
  }

  /** Brings the newest replica set's annotations to the deployment's, and notes its revision there. */
  async sync(rollout: Rollout): Promise<void> {
    const { deployment, old, signal } = rollout;
    const current = rollout.current!;
    const known = current.metadata.annotations ?? {};
    const wanted = currentAnnotations(deployment, known, nextRevision(old));
    const { minReadySeconds } = deployment.spec;
    const isSame =
      (current.spec.minReadySeconds ?? 0) === (minReadySeconds ?? 0) && isDeepStrictEqual(wanted, known);
    if (!isSame) {
      const { minReadySeconds: _former, ...spec } = current.spec;
      rollout.current = await this.#update(
        deployment,
        {
          ...current,
          metadata: { ...current.metadata, annotations: wanted },
          spec: { ...spec, ...(minReadySeconds ? { minReadySeconds } : {}) },
        },
        signal,
      );
    }
    noteRevision(deployment, wanted[annotations.revision]);
    if (hasDeadline(deployment) && !progressOf(deployment.status))
      this.#note(
        deployment,
        'True',
        progressReasons.found,
        `Found new replica set "${current.metadata.name}"`,
      );
  }

  /** Creates the replica set of the deployment's template, as large as it may be at once. */
  async create(rollout: Rollout): Promise<ReplicaSet> {
    const { deployment, old, signal } = rollout;
    const set = newReplicaSet(deployment, old);
    const { name = '' } = set.metadata;
    try {
      const created = await this.#parts.client.resource(kinds.replicaSets).create(set, { signal });
      this.#parts.writes.wrote(keyOf(deployment), this.#parts.sets, created);
      const size = sizeOf(created);
      const message = `Scaled up replica set ${name} from 0 to ${size}`;
      if (size > 0) this.tell(deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message });
      noteRevision(deployment, String(nextRevision(old)));
      this.#note(deployment, 'True', progressReasons.created, `Created new replica set "${name}"`);
      return created;
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return this.#existing(deployment, name, error, signal);
      if (!signal.aborted && !isNamespaceGoing(error)) {
        const why = error instanceof Error ? error.message : String(error);
        const message = `Failed to create new replica set "${name}": ${why}`;
        this.#note(deployment, 'False', progressReasons.notCreated, message);
        this.tell(deployment, { type: 'Warning', reason: progressReasons.notCreated, message });
      }
      throw error;
    }
  }

  /** Changes a replica set's size, and what it remembers of the deployment's. */
  async scale({ deployment, signal }: Rollout, set: ReplicaSet, size: number): Promise<ReplicaSet> {
    const known = set.metadata.annotations ?? {};
    const wanted = { ...known, ...sizeAnnotations(deployment) };
    if (size === sizeOf(set) && isDeepStrictEqual(wanted, known)) return set;
    const metadata = { ...set.metadata, annotations: wanted };
    const changed = { ...set, metadata, spec: { ...set.spec, replicas: size } };
    const updated = await this.#update(deployment, changed, signal);
    if (size !== sizeOf(set)) {
      const direction = size > sizeOf(set) ? 'up' : 'down';
      const message = `Scaled ${direction} replica set ${set.metadata.name} from ${sizeOf(set)} to ${size}`;
      this.tell(deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message });
    }
    return updated;
  }

  async delete({ metadata }: ReplicaSet, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, uid = '' } = metadata;
    try {
      const resource = this.#parts.client.resource(kinds.replicaSets);
      await resource.delete({ name, namespace }, { preconditions: { uid }, signal });
    } catch (error) {
      if (!isLateWrite(error)) throw error;
    }
  }

  async #update(deployment: Deployment, set: ReplicaSet, signal: AbortSignal): Promise<ReplicaSet> {
    const updated = await this.#parts.client.resource(kinds.replicaSets).update(set, { signal });
    this.#parts.writes.wrote(keyOf(deployment), this.#parts.sets, updated);
    return updated;
  }

  /** Ours all the same, or another template has the same hash: then the next name is another one. */
  async #existing(
    deployment: Deployment,
    name: string,
    error: Error,
    signal: AbortSignal,
  ): Promise<ReplicaSet> {
    const { namespace, uid } = deployment.metadata;
    const set = await this.#parts.client.resource(kinds.replicaSets).get({ name, namespace, signal });
    const isOurs = controllerOf(set)?.uid === uid;
    if (isOurs && isSameTemplate(set.spec.template ?? {}, deployment.spec.template)) return set;
    const { collisionCount = 0 } = deployment.status ?? {};
    deployment.status = { ...deployment.status, collisionCount: collisionCount + 1 };
    throw error;
  }

  #note(deployment: Deployment, status: 'True' | 'False', reason: string, message: string): void {
    if (!hasDeadline(deployment)) return;
    const condition = conditionNow('Progressing', status, {
      reason,
      message,
      nowMs: this.#parts.clock.nowMs(),
    });
    const conditions = withCondition(deployment.status?.conditions, condition);
    deployment.status = { ...deployment.status, conditions };
  }
}

function nextRevision(old: readonly ReplicaSet[]): bigint {
  const revisions = old.map((set) => revisionOf(set) ?? 0n);
  return revisions.reduce((highest, revision) => (revision > highest ? revision : highest), 0n) + 1n;
}

function noteRevision({ metadata }: Deployment, revision: string | undefined): void {
  if (revision === undefined) return;
  metadata.annotations = { ...metadata.annotations, [annotations.revision]: revision };
}

function sizeAnnotations(deployment: Deployment): Record<string, string> {
  const { replicas = 1 } = deployment.spec;
  return {
    [annotations.desiredReplicas]: String(replicas),
    [annotations.maxReplicas]: String(replicas + fenceposts(deployment).maxSurge),
  };
}

/** The replica set of a deployment's template as it is created (upstream: getNewReplicaSet). */
function newReplicaSet(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet {
  const { spec, status, metadata } = deployment;
  const hash = templateHash(spec.template, status?.collisionCount);
  const hashed = { [podTemplateHashLabel]: hash };
  const labels = { ...spec.template.metadata?.labels, ...hashed };
  const { selector, minReadySeconds } = spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${(metadata.name ?? '').slice(0, nameMax - 1 - hash.length)}-${hash}`,
      namespace: metadata.namespace ?? '',
      labels,
      annotations: {
        ...currentAnnotations(deployment, {}, nextRevision(old)),
        ...sizeAnnotations(deployment),
      },
      ownerReferences: [controllerReference(kinds.deployments, deployment)],
    },
    spec: {
      replicas: currentSize(deployment, old, 0),
      ...(minReadySeconds ? { minReadySeconds } : {}),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...hashed } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}
