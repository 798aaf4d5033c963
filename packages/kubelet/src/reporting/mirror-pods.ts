import { type KubeClient, kinds } from '@wherry/client';
import { type Node, type Pod, StatusError } from '@wherry/kubeapi';
import { podAnnotations } from '@wherry/podrules';
import type { Logger } from '@wherry/telemetry';
import type { PodStore } from '../board/pod-store.ts';
import { type AssignedPod, describePod, isStaticPod } from '../pod/assigned-pod.ts';

/** What mirrors are made with. */
export interface MirrorPodsOptions {
  client: KubeClient;
  nodeName: string;
  store: PodStore;
  logger: Logger;
}

/** Keeps, for each static pod, the object at the API server that shows it. */
export class MirrorPods {
  readonly #options: MirrorPodsOptions;
  #nodeUid: string | undefined;

  constructor(options: MirrorPodsOptions) {
    this.#options = options;
  }

  /** The node's object exists, which mirror pods name as their owner: none is made before. */
  nodeRegistered({ metadata }: Node): void {
    this.#nodeUid = metadata.uid ?? '';
    for (const pod of this.#options.store.pods) if (isStaticPod(pod)) this.reconcile(pod);
  }

  /** Makes the mirror of a static pod what it should be: a missing one is created, an outdated one replaced. */
  reconcile(pod: AssignedPod): void {
    const { store, logger } = this.#options;
    this.#reconcile(pod, store.mirrorOf(pod)).catch((error: unknown) =>
      logger.warn('a mirror pod could not be made', { pod: describePod(pod), error }),
    );
  }

  /** Deletes a mirror at once; the static pod is not touched. */
  remove(mirror: AssignedPod): void {
    this.#delete(mirror).catch((error: unknown) =>
      this.#options.logger.warn('a mirror pod could not be removed', { pod: describePod(mirror), error }),
    );
  }

  async #reconcile(pod: AssignedPod, mirror: AssignedPod | undefined): Promise<void> {
    if (!this.#nodeUid) return;
    const hash = pod.metadata.annotations?.[podAnnotations.hash] ?? '';
    const isCurrent = mirror?.metadata.annotations?.[podAnnotations.mirror] === hash;
    if (mirror && isCurrent && !mirror.metadata.deletionTimestamp) return;
    if (mirror) await this.#delete(mirror);
    await this.#create(pod, hash, this.#nodeUid);
  }

  async #delete(mirror: AssignedPod): Promise<void> {
    const { name, namespace, uid } = mirror.metadata;
    try {
      const pods = this.#options.client.resource(kinds.pods);
      await pods.delete({ name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid } });
    } catch (error) {
      if (!(error instanceof StatusError && (error.code === 404 || error.code === 409))) throw error;
    }
  }

  async #create(pod: AssignedPod, hash: string, nodeUid: string): Promise<void> {
    const { name, namespace, labels, annotations } = pod.metadata;
    const mirror: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace,
        ...(labels ? { labels } : {}),
        annotations: { ...annotations, [podAnnotations.mirror]: hash },
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Node', name: this.#options.nodeName, uid: nodeUid, controller: true },
        ],
      },
      spec: pod.spec,
    };
    try {
      await this.#options.client.resource(kinds.pods).create(mirror);
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 409)) throw error;
    }
  }
}
