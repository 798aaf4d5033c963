import { type KubeClient, kinds } from '@wherry/client';
import { type Pod, StatusError } from '@wherry/kubeapi';
import { podAnnotations } from '@wherry/podrules';
import type { AssignedPod } from '../pod/assigned-pod.ts';

/** Keeps, for each static pod, the object at the API server that shows it. */
export class MirrorPods {
  readonly #client: KubeClient;
  readonly #nodeName: string;
  #nodeUid: string | undefined;

  constructor(options: { client: KubeClient; nodeName: string }) {
    this.#client = options.client;
    this.#nodeName = options.nodeName;
  }

  /** The node's UID, which mirror pods name as their owner; none is made before it is known. */
  setNodeUid(uid: string): void {
    this.#nodeUid = uid;
  }

  /** Makes the mirror of a static pod what it should be: a missing one is created, an outdated one replaced. */
  async reconcile(pod: AssignedPod, mirror: AssignedPod | undefined): Promise<void> {
    if (!this.#nodeUid) return;
    const hash = pod.metadata.annotations?.[podAnnotations.hash] ?? '';
    const isCurrent = mirror?.metadata.annotations?.[podAnnotations.mirror] === hash;
    if (mirror && isCurrent && !mirror.metadata.deletionTimestamp) return;
    if (mirror) await this.remove(mirror);
    await this.#create(pod, hash, this.#nodeUid);
  }

  /** Deletes a mirror at once; the static pod is not touched. */
  async remove(mirror: AssignedPod): Promise<void> {
    const { name, namespace, uid } = mirror.metadata;
    try {
      const pods = this.#client.resource(kinds.pods);
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
          { apiVersion: 'v1', kind: 'Node', name: this.#nodeName, uid: nodeUid, controller: true },
        ],
      },
      spec: pod.spec,
    };
    try {
      await this.#client.resource(kinds.pods).create(mirror);
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 409)) throw error;
    }
  }
}
