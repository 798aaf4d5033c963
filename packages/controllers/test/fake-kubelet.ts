import { Informer, type KubeClient, kinds } from '@wherry/client';
import { type ContainerStatus, hasReason, type Pod, timeFromMs } from '@wherry/kubeapi';

const nodeName = 'node-1';

/** What becomes of a pod's containers; default: they run, and are ready. */
export type Outcome = 'ready' | 'unready' | { exitCode: number };

/** A node whose pods are in a moment what `outcomeOf` says, and go in a moment when they are deleted. */
export class FakeKubelet {
  readonly #client: KubeClient;
  readonly #informer: Informer<Pod>;
  outcomeOf: (pod: Pod) => Outcome = () => 'ready';

  private constructor(client: KubeClient) {
    this.#client = client;
    const look = (pod: Pod) => void this.#look(pod);
    const resource = client.resource(kinds.pods);
    this.#informer = new Informer({ resource, handlers: { added: look, updated: look } });
  }

  /** Registers the node, and begins. */
  static async start(client: KubeClient): Promise<FakeKubelet> {
    const nodes = client.resource(kinds.nodes);
    await nodes.create({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: nodeName, labels: { 'kubernetes.io/hostname': nodeName } },
      spec: {},
    });
    const amounts = { cpu: '64', memory: '64Gi', pods: '500' };
    const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: timeFromMs(Date.now() + 3e6) }];
    // Whole, it would be of a version that controllers may have changed by then.
    const patch = { status: { capacity: amounts, allocatable: amounts, conditions } };
    await nodes.patch({ name: nodeName, subresource: 'status', type: 'merge', patch });
    const kubelet = new FakeKubelet(client);
    kubelet.#informer.start();
    return kubelet;
  }

  /** Looks at all pods again: their outcome may have changed. */
  again(): void {
    for (const pod of this.#informer.objects.values()) void this.#look(pod);
  }

  close(): Promise<void> {
    return this.#informer.close();
  }

  async #look(pod: Pod): Promise<void> {
    const { name = '', namespace, deletionTimestamp, uid = '' } = pod.metadata;
    if (pod.spec?.nodeName !== nodeName) return;
    try {
      const resource = this.#client.resource(kinds.pods);
      if (deletionTimestamp) {
        if (pod.metadata.finalizers?.length && pod.status?.phase !== 'Failed')
          await resource.patch({
            name,
            namespace,
            subresource: 'status',
            type: 'merge',
            patch: { status: { phase: 'Failed' } },
          });
        await resource.delete({ name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid } });
      } else await this.#show(pod);
    } catch (error) {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) this.failures.push(error);
    }
  }

  readonly failures: unknown[] = [];

  async #show(pod: Pod): Promise<void> {
    const { name = '', namespace } = pod.metadata;
    const outcome = this.outcomeOf(pod);
    const isOver = typeof outcome === 'object';
    const phase = !isOver ? 'Running' : outcome.exitCode === 0 ? 'Succeeded' : 'Failed';
    const ready = outcome === 'ready' ? 'True' : 'False';
    const known = pod.status?.conditions?.find(({ type }) => type === 'Ready');
    if (pod.status?.phase === phase && known?.status === ready) return;
    const now = timeFromMs(Date.now());
    const state = isOver
      ? { terminated: { exitCode: outcome.exitCode, startedAt: now, finishedAt: now } }
      : { running: { startedAt: now } };
    const containerStatuses = (pod.spec?.containers ?? []).map(
      ({ name, image = '' }): ContainerStatus => ({
        ...{ name, image, imageID: image, restartCount: 0 },
        ready: ready === 'True',
        state,
      }),
    );
    const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: now, lastProbeTime: null }];
    const status = {
      phase,
      startTime: now,
      conditions,
      containerStatuses,
      podIP: '10.9.0.1',
      podIPs: [{ ip: '10.9.0.1' }],
    };
    await this.#client.resource(kinds.pods).patch({
      ...{ name, namespace, subresource: 'status', type: 'strategic' },
      patch: { status },
    });
  }
}
