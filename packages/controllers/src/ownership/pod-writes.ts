import { type KubeObject, keyOf, kinds, type ResourceType } from '@wherry/client';
import { hasReason, type ObjectMeta, type Pod, type PodTemplateSpec } from '@wherry/kubeapi';
import type { ClusterView } from '../machinery/cluster-view.ts';
import { EventRecorder } from '../machinery/events.ts';
import { controllerReference } from '../watching/controller-reference.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';
import type { OwnWrites } from './own-writes.ts';

/** Whose pods are written. */
export interface PodWriterOptions {
  cluster: ClusterView;
  ownerType: ResourceType;
  pods: InformerHandle<Pod>;
  writes: OwnWrites;
  /** Who signs the events, e.g. `replicaset-controller`. */
  component: string;
}

/** What a pod has beside its template. */
export interface PodExtras {
  /** Default: `OWNER-` and what the server adds. */
  name?: string;
  generateName?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
}

/** A pod of a template, owned by `owner` (upstream: GetPodFromTemplate). */
export function podFromTemplate(
  template: PodTemplateSpec,
  owner: KubeObject,
  ownerType: ResourceType,
  extras: PodExtras = {},
): Pod {
  const { labels, annotations, finalizers = [] } = template.metadata ?? {};
  const ownerName = owner.metadata?.name ?? '';
  const metadata: ObjectMeta = {
    ...(extras.name ? { name: extras.name } : { generateName: extras.generateName ?? `${ownerName}-` }),
    namespace: owner.metadata?.namespace ?? '',
    labels: { ...labels, ...extras.labels },
    annotations: { ...annotations, ...extras.annotations },
    finalizers: [...finalizers, ...(extras.finalizers ?? [])],
    ownerReferences: [controllerReference(ownerType, owner)],
  };
  const spec = structuredClone(template.spec ?? { containers: [] });
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

/** Whether a request failed since its namespace is being deleted: then there is nothing to be done, and nothing to be said. */
export function isNamespaceGoing(error: unknown): boolean {
  return (
    hasReason(error, 'Forbidden') &&
    (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating')
  );
}

/** Creates and deletes the pods of one kind of owner, with upstream's events, and notes what it wrote. */
export class PodWriter {
  readonly recorder: EventRecorder;
  readonly #options: PodWriterOptions;

  constructor(options: PodWriterOptions) {
    const { client, clock, logger } = options.cluster;
    this.#options = options;
    this.recorder = new EventRecorder({ client, clock, logger, component: options.component });
  }

  /** Creates a pod. Throws as the server refuses it. */
  async create(owner: KubeObject, pod: Pod, signal: AbortSignal): Promise<Pod> {
    const { cluster, ownerType, writes, pods } = this.#options;
    try {
      const created = await cluster.client.resource(kinds.pods).create(pod, { signal });
      writes.wrote(keyOf(owner), pods, created);
      const message = `Created pod: ${created.metadata?.name}`;
      this.recorder.recordOf(ownerType, owner, { type: 'Normal', reason: 'SuccessfulCreate', message });
      return created;
    } catch (error) {
      if (!signal.aborted && !isNamespaceGoing(error)) {
        const message = `Error creating: ${error instanceof Error ? error.message : error}`;
        this.recorder.recordOf(ownerType, owner, { type: 'Warning', reason: 'FailedCreate', message });
      }
      throw error;
    }
  }

  /** Deletes that very pod; one that is gone is well. */
  async delete(owner: KubeObject, pod: Pod, signal: AbortSignal): Promise<void> {
    const { cluster, ownerType, writes, pods } = this.#options;
    const { name = '', namespace, uid = '' } = pod.metadata ?? {};
    try {
      const resource = cluster.client.resource(kinds.pods);
      await resource.delete({ name, namespace }, { preconditions: { uid }, signal });
    } catch (error) {
      if (hasReason(error, 'NotFound') || hasReason(error, 'Conflict')) return;
      const message = `Error deleting: ${error instanceof Error ? error.message : error}`;
      this.recorder.recordOf(ownerType, owner, { type: 'Warning', reason: 'FailedDelete', message });
      throw error;
    }
    writes.deleted(keyOf(owner), pods, pod);
    const message = `Deleted pod: ${name}`;
    this.recorder.recordOf(ownerType, owner, { type: 'Normal', reason: 'SuccessfulDelete', message });
  }
}
