import { kinds } from '@wherry/client';
import {
  hasReason,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type VolumeAttachment,
} from '@wherry/kubeapi/objects';
import { isFinished, podClaims } from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';
import { heldEvent, NewsTeller, newsOf } from './attach-news.ts';
import { attachmentName, isManaged, isOwn, placeKey, uniqueName } from './attachment-name.ts';

const watches = {
  pods: { type: kinds.pods },
  claims: { type: kinds.persistentVolumeClaims },
  volumes: { type: kinds.persistentVolumes },
  attachments: { type: kinds.volumeAttachments },
  drivers: { type: kinds.csiDrivers },
  nodes: { type: kinds.nodes },
};
type Context = ControllerContext<typeof watches>;

/**
 * Has CSI volumes attached to the nodes of pods that use them, and detached when no pod does and the node's kubelet has let
 * go: by VolumeAttachments, which the driver's attacher acts on. Keys are `node/volume`.
 */
export const attachDetachController = defineController<typeof watches>({
  name: 'persistentvolume-attach-detach-controller',
  account: 'attachdetach-controller',
  watches,
  writes: ['volumeattachments', 'nodes/status', 'events'],
  build: (context) => new AttachDetach(context),
});

class AttachDetach implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #news: NewsTeller;
  /** Since when nobody wants a volume on its node, by key. */
  readonly #unwantedMs = new Map<string, number>();
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    this.#context = context;
    const { client, clock, logger } = context.cluster;
    const component = 'attachdetach-controller';
    this.#news = new NewsTeller(new EventRecorder({ client, clock, logger, component }));
    const { pods, attachments } = context.informers;
    const all = () => [...pods.objects.values()].flatMap((pod) => this.#keysOfPod(pod));
    this.keysOf = {
      pods: (pod, _change, previous) => [
        ...this.#keysOfPod(pod),
        ...(previous ? this.#keysOfPod(previous) : []),
      ],
      claims: (claim) => this.#keysOfClaim(claim),
      attachments: (attachment, change) => {
        const { nodeName, source } = attachment.spec;
        const waiting = change === 'deleted' ? this.#keysOfVolume(source.persistentVolumeName ?? '') : [];
        return [placeKey(nodeName, source.persistentVolumeName ?? ''), ...waiting];
      },
      drivers: all,
      nodes: ({ metadata }) =>
        [...attachments.objects.values()].flatMap(({ spec }) =>
          spec.nodeName === metadata.name
            ? [placeKey(spec.nodeName, spec.source.persistentVolumeName ?? '')]
            : [],
        ),
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const [nodeName = '', volumeName = ''] = key.split('/');
    const { volumes, nodes, attachments } = this.#context.informers;
    const [volume, node] = [volumes.objects.get(volumeName), nodes.objects.get(nodeName)];
    const found = [...attachments.objects.values()].find(
      (each) =>
        each.spec.nodeName === nodeName &&
        each.spec.source.persistentVolumeName === volumeName &&
        isOwn(each),
    );
    const users = volume && node ? this.#users(volume, nodeName) : [];
    const isWanted =
      users.length > 0 &&
      volume !== undefined &&
      isManaged(node?.metadata.annotations) &&
      this.#mustAttach(volume);
    if (isWanted) this.#unwantedMs.delete(key);
    else this.#news.forget(key);
    if (isWanted && !found) return this.#attach(volume, nodeName, users, signal);
    if (found && isWanted) this.#tell(key, volume, found, users);
    const goes = found && !isWanted && this.#mayGo(key, volume, node);
    // First the node no longer says that it has it, then it goes.
    if (node) await this.#publish(node, goes ? found : undefined, signal);
    if (goes && !found.metadata.deletionTimestamp) await this.#detach(found, signal);
    if (!found) this.#unwantedMs.delete(key);
  }

  async #attach(
    volume: PersistentVolume,
    nodeName: string,
    users: readonly Pod[],
    signal: AbortSignal,
  ): Promise<void> {
    const { client } = this.#context.cluster;
    const name = volume.metadata.name ?? '';
    const others = this.#holdersOf(volume, nodeName);
    if (others.length > 0) {
      const holders = others.flatMap((other) => this.#users(volume, other));
      this.#news.tell(placeKey(nodeName, name), 'held', users, (pod) => heldEvent(name, pod, holders));
      return;
    }
    try {
      await client.resource(kinds.volumeAttachments).create(
        {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'VolumeAttachment',
          metadata: { name: attachmentName(volume, nodeName) },
          spec: { attacher: volume.spec.csi!.driver, nodeName, source: { persistentVolumeName: name } },
        },
        { signal },
      );
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
    }
  }

  #mayGo(key: string, volume: PersistentVolume | undefined, node: Node | undefined): boolean {
    const { clock } = this.#context.cluster;
    const sinceMs = this.#unwantedMs.get(key) ?? clock.monotonicMs();
    this.#unwantedMs.set(key, sinceMs);
    const leftMs = sinceMs + limits.forcedDetachMs - clock.monotonicMs();
    if (!node || !volume || mayDetach(node, volume, leftMs <= 0)) return true;
    if (leftMs > 0) this.#context.queue.addAfter(key, leftMs);
    return false;
  }

  async #detach({ metadata: { name = '', uid } }: VolumeAttachment, signal: AbortSignal): Promise<void> {
    const attachments = this.#context.cluster.client.resource(kinds.volumeAttachments);
    try {
      await attachments.delete({ name }, { signal, ...(uid ? { preconditions: { uid } } : {}) });
    } catch (error) {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
    }
  }

  /** Which volumes the node has; `without` is about to be taken from it. */
  async #publish(node: Node, without: VolumeAttachment | undefined, signal: AbortSignal): Promise<void> {
    const { client } = this.#context.cluster;
    const { attachments, volumes } = this.#context.informers;
    const { name = '' } = node.metadata;
    const attached = [...attachments.objects.values()].flatMap((each) => {
      const volume = volumes.objects.get(each.spec.source.persistentVolumeName ?? '');
      const isThere =
        each.spec.nodeName === name && each.status?.attached && !each.metadata.deletionTimestamp;
      return isThere && volume?.spec.csi && each.metadata.uid !== without?.metadata.uid
        ? [{ name: uniqueName(volume), devicePath: '' }]
        : [];
    });
    attached.sort((a, b) => (a.name < b.name ? -1 : 1));
    const names = (list: readonly { name: string }[]) => list.map((each) => each.name).join();
    if (names(attached) === names(node.status?.volumesAttached ?? [])) return;
    const patch = { status: { volumesAttached: attached } };
    await client.resource(kinds.nodes).patch({ type: 'merge', name, subresource: 'status', patch, signal });
  }

  #tell(key: string, volume: PersistentVolume, attachment: VolumeAttachment, users: readonly Pod[]): void {
    const { cluster, queue } = this.#context;
    const about = { name: volume.metadata.name ?? '', handle: volume.spec.csi?.volumeHandle ?? '' };
    const { event, subject, againMs } = newsOf(attachment, about, cluster.clock.nowMs());
    if (event) this.#news.tell(key, subject, users, () => event);
    if (againMs !== undefined) queue.addAfter(key, againMs);
  }

  /** The other nodes that have it until its attachment is gone; none where several may have it at once. */
  #holdersOf({ metadata, spec }: PersistentVolume, nodeName: string): string[] {
    const modes = spec.accessModes ?? [];
    if (modes.includes('ReadWriteMany') || modes.includes('ReadOnlyMany')) return [];
    return [...this.#context.informers.attachments.objects.values()].flatMap((each) =>
      each.spec.source.persistentVolumeName === metadata.name && each.spec.nodeName !== nodeName
        ? [each.spec.nodeName]
        : [],
    );
  }

  #mustAttach({ spec }: PersistentVolume): boolean {
    if (!spec.csi) return false;
    return this.#context.informers.drivers.objects.get(spec.csi.driver)?.spec.attachRequired ?? true;
  }

  #users({ spec }: PersistentVolume, nodeName: string): Pod[] {
    const { namespace, name } = spec.claimRef ?? {};
    return [...this.#context.informers.pods.objects.values()].filter(
      (pod) =>
        pod.spec?.nodeName === nodeName &&
        pod.metadata.namespace === namespace &&
        !isFinished(pod) &&
        podClaims(pod).some(({ claimName }) => claimName === name),
    );
  }

  #keysOfPod(pod: Pod): string[] {
    const { nodeName } = pod.spec ?? {};
    if (!nodeName) return [];
    return podClaims(pod).flatMap(({ claimName }) => {
      const claim = this.#context.informers.claims.objects.get(`${pod.metadata.namespace}/${claimName}`);
      return claim?.spec.volumeName ? [placeKey(nodeName, claim.spec.volumeName)] : [];
    });
  }

  #keysOfClaim({ metadata, spec }: PersistentVolumeClaim): string[] {
    if (!spec.volumeName) return [];
    return this.#nodesOf(metadata.namespace, metadata.name).map((node) =>
      placeKey(node, spec.volumeName ?? ''),
    );
  }

  #keysOfVolume(name: string): string[] {
    const { namespace, name: claim } = this.#context.informers.volumes.objects.get(name)?.spec.claimRef ?? {};
    return claim ? this.#nodesOf(namespace, claim).map((node) => placeKey(node, name)) : [];
  }

  #nodesOf(namespace: string | undefined, claim: string | undefined): string[] {
    return [...this.#context.informers.pods.objects.values()].flatMap((pod) =>
      pod.spec?.nodeName &&
      pod.metadata.namespace === namespace &&
      podClaims(pod).some(({ claimName }) => claimName === claim)
        ? [pod.spec.nodeName]
        : [],
    );
  }
}

/** Once the kubelet has let go; without it, when the node is declared out of service, or not ready for long. */
function mayDetach({ spec, status }: Node, volume: PersistentVolume, isOverdue: boolean): boolean {
  if (spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service')) return true;
  if (!status?.volumesInUse?.includes(uniqueName(volume))) return true;
  const isReady = status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  return isOverdue && !isReady;
}
