import { controllerReference, type KubeObject, keyOf, kinds, type ResourceType } from '@wherry/client';
import { hasReason, type ObjectMeta, type Pod, type PodTemplateSpec } from '@wherry/kubeapi/objects';
import type { ClusterView } from '../machinery/cluster-view.ts';
import { EventRecorder, type ObjectEvent } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
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
  /** Default: {@link usualWording}. */
  wording?: PodWording;
}

/** What is done to a pod. */
export type PodVerb = 'Create' | 'Update' | 'Delete';

/** What the events say. */
export interface PodWording {
  done(verb: PodVerb, podName: string, ownerName: string): string;
  failed(verb: PodVerb, podName: string, ownerName: string, why: string): string;
}

/** As most of upstream's controllers put it. */
const usualWording: PodWording = {
  done: (verb, podName) => `${verb}d pod: ${podName}`,
  failed: (verb, _podName, _ownerName, why) => `Error ${verb.toLowerCase().slice(0, -1)}ing: ${why}`,
};

/** What a pod has beside its template. */
export interface PodExtras {
  /** Default: `generateName` and what the server adds. */
  name?: string;
  /** Default: `OWNER-`. */
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
    ...(extras.name ? { name: extras.name } : {}),
    generateName: extras.generateName ?? podNamePrefix(ownerName),
    namespace: owner.metadata?.namespace ?? '',
    labels: { ...labels, ...extras.labels },
    annotations: { ...annotations, ...extras.annotations },
    finalizers: [...new Set([...finalizers, ...(extras.finalizers ?? [])])],
    ownerReferences: [controllerReference(ownerType, owner)],
  };
  const spec = structuredClone(template.spec ?? { containers: [] });
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

/** The dash stands where there is room for it (upstream: getPodsPrefix). */
function podNamePrefix(ownerName: string): string {
  return ownerName.length < nameLengthMax ? `${ownerName}-` : ownerName;
}

const nameLengthMax = 253;

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
    const { cluster, writes, pods } = this.#options;
    try {
      const created = await cluster.client.resource(kinds.pods).create(pod, { signal });
      writes.wrote(keyOf(owner), pods, created);
      this.tell(owner, 'Create', created.metadata.name ?? '');
      return created;
    } catch (error) {
      // One that is there already will be seen.
      if (!signal.aborted && !isNamespaceGoing(error) && !hasReason(error, 'AlreadyExists'))
        this.tell(owner, 'Create', pod.metadata.name ?? '', error);
      throw error;
    }
  }

  /** Deletes that very pod; one that is gone is well. */
  async delete(owner: KubeObject, pod: Pod, signal: AbortSignal): Promise<void> {
    const { cluster, writes, pods } = this.#options;
    const { name = '', namespace, uid = '' } = pod.metadata ?? {};
    try {
      const resource = cluster.client.resource(kinds.pods);
      await resource.delete({ name, namespace }, { preconditions: { uid }, signal });
    } catch (error) {
      if (isLateWrite(error)) return;
      this.tell(owner, 'Delete', name, error);
      throw error;
    }
    writes.deleted(keyOf(owner), pods, pod);
    this.tell(owner, 'Delete', name);
  }

  /** The event of what was done to a pod, or failed. */
  tell(owner: KubeObject, verb: PodVerb, podName: string, error?: unknown): void {
    const { ownerType, wording = usualWording } = this.#options;
    const ownerName = owner.metadata?.name ?? '';
    const event: ObjectEvent =
      error === undefined
        ? { type: 'Normal', reason: `Successful${verb}`, message: wording.done(verb, podName, ownerName) }
        : {
            type: 'Warning',
            reason: `Failed${verb}`,
            message: wording.failed(verb, podName, ownerName, messageOf(error)),
          };
    this.recorder.recordOf(ownerType, owner, event);
  }
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
