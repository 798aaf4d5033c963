import { keyOf, kinds } from '@wherry/client';
import {
  hasReason,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
} from '@wherry/kubeapi/objects';
import { nodeLabelKeys, storageAnnotations, storageClassOf } from '@wherry/podrules';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder, type ObjectEvent } from '../machinery/events.ts';
import { type ControllerDefinition, defineController } from '../machinery/run-controller.ts';
import { messageOf } from '../ownership/pod-writes.ts';
import type { VolumeFolders } from './volume-folders.ts';

/** What classes and claims call it. */
const provisionerName = 'wherry/local-path';

const finalizer = 'wherry/local-path';

/** The class of claims that name none, as kind has it. */
const standardClass: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { [storageAnnotations.defaultClass]: 'true' } },
  provisioner: provisionerName,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
};

const watches = {
  claims: { type: kinds.persistentVolumeClaims },
  volumes: { type: kinds.persistentVolumes },
  classes: { type: kinds.storageClasses },
};

/**
 * Gives claims whose pod is to run on a node of this machine a folder as their volume, and removes it with the volume. It
 * looks at nobody else's claims, so that each machine can have one. Keys are names of volumes, and `namespace/name` of claims.
 */
export const localPathProvisioner = (folders: VolumeFolders): ControllerDefinition =>
  defineController<typeof watches>({
    name: 'local-path-provisioner',
    watches,
    writes: ['persistentvolumes', 'storageclasses', 'events'],
    build: (context) => new LocalPathProvisioner(context, folders),
  });

class LocalPathProvisioner implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #folders: VolumeFolders;
  readonly #recorder: EventRecorder;
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: ControllerContext<typeof watches>, folders: VolumeFolders) {
    const { client, clock, logger } = context.cluster;
    this.#context = context;
    this.#folders = folders;
    this.#recorder = new EventRecorder({ client, clock, logger, component: provisionerName });
    this.keysOf = {
      claims: (claim) => (this.#isOurs(claim) ? [keyOf(claim)] : []),
      volumes: (volume, change) => (change === 'deleted' ? [] : [keyOf(volume)]),
    };
    context.queue.add('');
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { claims, volumes } = this.#context.informers;
    if (key === '') return this.#ensureClass(signal);
    if (key.includes('/')) {
      const claim = claims.objects.get(key);
      if (claim && this.#isOurs(claim)) await this.#provision(claim, signal);
      return;
    }
    const volume = volumes.objects.get(key);
    if (volume && this.#holds(volume)) await this.#reclaim(volume, signal);
  }

  /** One that no pod chose a node for is nobody's, and each machine's provisioner says so. */
  #isOurs({ metadata, spec }: PersistentVolumeClaim): boolean {
    const { annotations = {}, deletionTimestamp } = metadata;
    const { provisioner, selectedNode } = storageAnnotations;
    const isAsked = annotations[provisioner] === provisionerName && !spec.volumeName && !deletionTimestamp;
    const node = annotations[selectedNode];
    return isAsked && (node === undefined || this.#folders.nodeNames.includes(node));
  }

  #holds({ metadata }: PersistentVolume): boolean {
    const { annotations = {} } = metadata;
    const isOurs = annotations[storageAnnotations.provisionedBy] === provisionerName;
    return isOurs && this.#folders.nodeNames.includes(annotations[storageAnnotations.selectedNode] ?? '');
  }

  /** A class of that name that is there already is left as it is. */
  async #ensureClass(signal: AbortSignal): Promise<void> {
    try {
      await this.#context.cluster.client.resource(kinds.storageClasses).create(standardClass, { signal });
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
    }
  }

  async #provision(claim: PersistentVolumeClaim, signal: AbortSignal): Promise<void> {
    const { informers, cluster } = this.#context;
    const name = `pvc-${claim.metadata.uid ?? ''}`;
    if (informers.volumes.objects.has(name)) return;
    const storageClass = informers.classes.objects.get(storageClassOf(claim));
    if (storageClass?.provisioner !== provisionerName) return;
    const refusal = refusalOf(claim, storageClass);
    if (refusal !== undefined) return this.#tellFailure(claim, storageClass, refusal);
    const volumes = cluster.client.resource(kinds.persistentVolumes);
    try {
      const path = await this.#folders.make(name);
      await volumes.create(this.#volumeFor(claim, storageClass, { name, path }), { signal });
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return;
      this.#tellFailure(claim, storageClass, messageOf(error));
      await volumes.get({ name, signal }).catch(async (missing: unknown) => {
        if (hasReason(missing, 'NotFound')) await this.#folders.remove(name);
      });
      throw error;
    }
    const message = `Successfully provisioned volume ${name}`;
    this.#tell(claim, { type: 'Normal', reason: 'ProvisioningSucceeded', message });
  }

  #volumeFor(
    { metadata, spec }: PersistentVolumeClaim,
    { reclaimPolicy = 'Delete', metadata: { name: storageClassName = '' } }: StorageClass,
    { name, path }: { name: string; path: string },
  ): PersistentVolume {
    const { namespace, uid, resourceVersion } = metadata;
    const { provisionedBy, selectedNode } = storageAnnotations;
    const nodeName = metadata.annotations?.[selectedNode] ?? '';
    const onNode = { key: nodeLabelKeys.hostname, operator: 'In' as const, values: [nodeName] };
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name,
        finalizers: [finalizer],
        annotations: { [provisionedBy]: provisionerName, [selectedNode]: nodeName },
      },
      spec: {
        capacity: { storage: spec.resources?.requests?.['storage'] ?? '0' },
        accessModes: spec.accessModes ?? [],
        claimRef: {
          ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: metadata.name ?? '' },
          ...{ namespace: namespace ?? '', uid: uid ?? '', resourceVersion: resourceVersion ?? '' },
        },
        persistentVolumeReclaimPolicy: reclaimPolicy,
        storageClassName,
        volumeMode: 'Filesystem',
        local: { path },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [onNode] }] } },
      },
    };
  }

  /** A released volume is deleted, and a deleted one's folder removed, unless the volume's policy keeps its content. */
  async #reclaim(volume: PersistentVolume, signal: AbortSignal): Promise<void> {
    const { name = '', finalizers = [], deletionTimestamp, uid } = volume.metadata;
    const resource = this.#context.cluster.client.resource(kinds.persistentVolumes);
    const { persistentVolumeReclaimPolicy: policy } = volume.spec;
    const isReleased = volume.status?.phase === 'Released';
    if (!deletionTimestamp) {
      const preconditions = uid === undefined ? {} : { uid };
      if (isReleased && policy === 'Delete') await resource.delete({ name }, { preconditions, signal });
      return;
    }
    const isLast = finalizers.length === 1 && finalizers[0] === finalizer;
    if (!isLast) return;
    if (policy === 'Delete') await this.#folders.remove(name);
    await resource.update({ ...volume, metadata: { ...volume.metadata, finalizers: [] } }, { signal });
  }

  #tellFailure(claim: PersistentVolumeClaim, { metadata }: StorageClass, why: string): void {
    const message = `failed to provision volume with StorageClass "${metadata.name}": ${why}`;
    this.#tell(claim, { type: 'Warning', reason: 'ProvisioningFailed', message });
  }

  #tell(claim: PersistentVolumeClaim, event: ObjectEvent): void {
    this.#recorder.recordOf(kinds.persistentVolumeClaims, claim, event);
  }
}

/** What a folder can't be, or a class can't ask of it. */
function refusalOf(
  { metadata, spec }: PersistentVolumeClaim,
  { parameters }: StorageClass,
): string | undefined {
  if (metadata.annotations?.[storageAnnotations.selectedNode] === undefined)
    return 'its volumes are folders of a node, so the class needs volumeBindingMode WaitForFirstConsumer';
  const [parameter] = Object.keys(parameters ?? {});
  if (parameter !== undefined) return `parameter "${parameter}" is unknown: ${provisionerName} takes none`;
  if (spec.volumeMode === 'Block') return 'it makes folders, no block devices';
  const onNode = ['ReadWriteOnce', 'ReadWriteOncePod'];
  const mode = spec.accessModes?.find((mode) => !onNode.includes(mode));
  if (mode !== undefined) return `access mode ${mode} is not supported: a folder is on one node`;
  if (spec.dataSourceRef || spec.dataSource) return 'it fills no volume from a dataSource';
  if (spec.selector) return 'claim.spec.selector is not supported';
  return undefined;
}
