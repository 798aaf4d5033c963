import {
  type PersistentVolume,
  type Pod,
  podReferences,
  type ResourceSlice,
  type VolumeAttachment,
} from '@wherry/kubeapi';
import { podDeviceClaims } from '@wherry/podrules';
import { as } from '../objects/api-object.ts';
import { objectOf } from '../objects/stored-text.ts';
import type { Store, StoreEvent, StoreWatch } from '../store/store.ts';
import type { StoredValue } from '../store/stored-value.ts';
import { isMirrorPod } from './mirror-pod.ts';

/** What a node may reach through its pods. */
export type Reachable =
  | 'secrets'
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'resourceclaims'
  | 'serviceaccounts';

/** A pod as far as nodes are concerned. */
export interface PlacedPod {
  /** '' until it is bound. */
  node: string;
  uid: string;
  /** `kind/namespace/name` of what it reads; nothing for mirror pods, which kubelets make themselves. */
  edges: readonly string[];
}

const podPrefix = '/pods/';
const volumePrefix = '/persistentvolumes/';
const attachmentPrefix = '/storage.k8s.io/volumeattachments/';
const slicePrefix = '/resource.k8s.io/resourceslices/';
const podKind = { group: '', version: 'v1', kind: 'Pod' };
const volumeKind = { group: '', version: 'v1', kind: 'PersistentVolume' };
const sliceKind = { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceSlice' };
const attachmentKind = { group: 'storage.k8s.io', version: 'v1', kind: 'VolumeAttachment' };

/**
 * Which nodes run pods that name which objects, kept from the store's events, so that a look-up reads no pod (upstream:
 * plugin/pkg/auth/authorizer/node's graph). As new as the last acknowledged write.
 */
export class NodeGraph {
  readonly #pods = new Map<string, PlacedPod>();
  /** How many pods of each node have that edge. */
  readonly #nodes = new Map<string, Map<string, number>>();
  /** The claim, and the node's secrets, of each bound volume. */
  readonly #volumes = new Map<string, BoundVolume>();
  /** The bound volumes that name each secret. */
  readonly #volumesOfSecret = new Map<string, Set<BoundVolume>>();
  /** The node of each volume attachment. */
  readonly #attachments = new Map<string, string>();
  /** The node of each slice that belongs to one. */
  readonly #slices = new Map<string, string>();
  readonly #watches: StoreWatch[] = [];

  /** Loads what is there and follows changes until {@link close}. */
  async start(store: Store): Promise<void> {
    await this.#follow(store, podPrefix, (name, stored) => this.#setPod(name, stored));
    await this.#follow(store, volumePrefix, (name, stored) => this.#setVolume(name, stored));
    await this.#follow(store, attachmentPrefix, (name, stored) => this.#setAttachment(name, stored));
    await this.#follow(store, slicePrefix, (name, stored) => this.#setSlice(name, stored));
  }

  close(): void {
    for (const watch of this.#watches) watch.close();
  }

  pod(namespace: string, name: string): PlacedPod | undefined {
    return this.#pods.get(`${namespace}/${name}`);
  }

  /** True when a pod of `node` names the object, by itself or through a volume that is bound to its claim. */
  reaches(node: string, kind: Reachable, { namespace, name }: { namespace: string; name: string }): boolean {
    const key = `${kind}/${namespace}/${name}`;
    if (this.#nodes.get(key)?.has(node)) return true;
    if (kind !== 'secrets') return false;
    return [...(this.#volumesOfSecret.get(key) ?? [])].some(({ claim }) => this.#nodes.get(claim)?.has(node));
  }

  /** True when a pod of `node` has the claim that the volume is bound to. */
  reachesVolume(node: string, name: string): boolean {
    const claim = this.#volumes.get(name)?.claim;
    return claim !== undefined && this.#nodes.get(claim)?.has(node) === true;
  }

  /** True when the attachment puts its volume on `node`. */
  reachesAttachment(node: string, name: string): boolean {
    return this.#attachments.get(name) === node;
  }

  /** True when the slice is of devices of `node` alone. */
  reachesSlice(node: string, name: string): boolean {
    return this.#slices.get(name) === node;
  }

  async #follow(
    store: Store,
    prefix: string,
    set: (name: string, stored: StoredValue | null) => void,
  ): Promise<void> {
    const { items, revision } = await store.range({ prefix });
    for (const stored of items) set(stored.key.slice(prefix.length), stored);
    const onEvents = (events: readonly StoreEvent[]) => {
      for (const { key, current } of events) set(key.slice(prefix.length), current);
    };
    this.#watches.push(await store.watch({ prefix, afterRevision: revision, onEvents }));
  }

  #setPod(key: string, stored: StoredValue | null): void {
    const before = this.#pods.get(key);
    const after = stored ? placed(as<Pod>(objectOf(stored, podKind))) : undefined;
    if (before) for (const edge of before.edges) this.#count(edge, before.node, -1);
    if (after) for (const edge of after.edges) this.#count(edge, after.node, 1);
    if (after) this.#pods.set(key, after);
    else this.#pods.delete(key);
  }

  #count(edge: string, node: string, change: 1 | -1): void {
    if (node === '') return;
    const counts = this.#nodes.get(edge) ?? new Map<string, number>();
    const count = (counts.get(node) ?? 0) + change;
    if (count > 0) counts.set(node, count);
    else counts.delete(node);
    if (counts.size > 0) this.#nodes.set(edge, counts);
    else this.#nodes.delete(edge);
  }

  #setAttachment(name: string, stored: StoredValue | null): void {
    const node = stored && as<VolumeAttachment>(objectOf(stored, attachmentKind)).spec?.nodeName;
    if (node) this.#attachments.set(name, node);
    else this.#attachments.delete(name);
  }

  #setSlice(name: string, stored: StoredValue | null): void {
    const node = stored && as<ResourceSlice>(objectOf(stored, sliceKind)).spec?.nodeName;
    if (node) this.#slices.set(name, node);
    else this.#slices.delete(name);
  }

  #setVolume(name: string, stored: StoredValue | null): void {
    const before = this.#volumes.get(name);
    for (const secret of before?.secrets ?? []) this.#volumesOfSecret.get(secret)?.delete(before!);
    const after = stored && boundVolume(as<PersistentVolume>(objectOf(stored, volumeKind)));
    if (!after) {
      this.#volumes.delete(name);
      return;
    }
    this.#volumes.set(name, after);
    for (const secret of after.secrets) {
      const volumes = this.#volumesOfSecret.get(secret) ?? new Set();
      this.#volumesOfSecret.set(secret, volumes.add(after));
    }
  }
}

/** A volume with the claim that it is bound to, and the secrets that a kubelet needs for it. */
interface BoundVolume {
  claim: string;
  secrets: readonly string[];
}

function boundVolume({ spec }: PersistentVolume): BoundVolume | undefined {
  const { claimRef, csi } = spec ?? {};
  if (!claimRef?.name) return undefined;
  const references = [csi?.nodeStageSecretRef, csi?.nodePublishSecretRef, csi?.nodeExpandSecretRef];
  const secrets = references.flatMap((secret) =>
    secret?.name ? [`secrets/${secret.namespace ?? ''}/${secret.name}`] : [],
  );
  return { claim: `persistentvolumeclaims/${claimRef.namespace ?? ''}/${claimRef.name}`, secrets };
}

function placed(pod: Pod): PlacedPod {
  const node = pod.spec?.nodeName ?? '';
  const { uid = '', namespace = '' } = pod.metadata ?? {};
  // Nothing that a node may make itself opens anything to it.
  if (isMirrorPod(pod)) return { node, uid, edges: [] };
  const { secrets, configMaps, claims, serviceAccount } = podReferences(pod);
  const edge = (kind: Reachable) => (name: string) => `${kind}/${namespace}/${name}`;
  const edges = [
    ...[...secrets].map(edge('secrets')),
    ...[...configMaps].map(edge('configmaps')),
    ...[...claims].map(edge('persistentvolumeclaims')),
    ...deviceClaimsOf(pod).map(edge('resourceclaims')),
    ...(serviceAccount === '' ? [] : [edge('serviceaccounts')(serviceAccount)]),
  ];
  return { node, uid, edges };
}

/** The claims on devices of a pod: those that it names, made ones too, and what a scheduler made for its extended resources. */
function deviceClaimsOf(pod: Pod): string[] {
  const named = podDeviceClaims(pod).map(({ claimName }) => claimName);
  const names = [...named, pod.status?.extendedResourceClaimStatus?.resourceClaimName];
  return [...new Set(names.filter((name): name is string => !!name))];
}
