import { keyOf, kinds } from '@wherry/client';
import { type Pod, timeFromMs } from '@wherry/kubeapi/objects';
import { isFinished, isPodReady } from '@wherry/podrules';
import type { ClusterView } from '../machinery/cluster-view.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';

/**
 * Says of the pods on silent nodes that they are not ready, so that services lead to others: nobody knows whether they
 * still run (upstream: MarkPodsNotReady). A kubelet that comes back says what they are.
 */
export class UnreadyPods {
  readonly #cluster: ClusterView;
  readonly #recorder: EventRecorder;
  readonly #pods: InformerHandle<Pod>;

  constructor(cluster: ClusterView, pods: InformerHandle<Pod>) {
    const { client, clock, logger } = cluster;
    this.#cluster = cluster;
    this.#pods = pods;
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'node-controller' });
  }

  /** Ends early once the node is back: what its kubelet says of its pods counts again. */
  async mark(nodeName: string, isBack: () => boolean): Promise<void> {
    const isMeant = (pod: Pod) => pod.spec?.nodeName === nodeName && isPodReady(pod) && !isFinished(pod);
    for (const pod of [...this.#pods.objects.values()].filter(isMeant)) {
      if (isBack()) return;
      await this.#markOne(pod);
    }
  }

  async #markOne(pod: Pod): Promise<void> {
    const { client, clock, logger } = this.#cluster;
    const { name = '', namespace, uid, resourceVersion } = pod.metadata;
    const ready = { type: 'Ready', status: 'False', lastTransitionTime: timeFromMs(clock.nowMs()) };
    // In that very state: what a kubelet has just said counts for more.
    const patch = { metadata: { uid, resourceVersion }, status: { conditions: [ready] } };
    try {
      const pods = client.resource(kinds.pods);
      await pods.patch({ name, namespace, subresource: 'status', type: 'strategic', patch });
    } catch (error) {
      if (!isLateWrite(error))
        logger.warn('a pod on a silent node could not be marked', { pod: keyOf(pod), error });
      return;
    }
    this.#recorder.record(pod, { type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' });
  }
}
