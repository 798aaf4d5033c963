import type { KubeClient, KubeObject, ResourceType } from '@wherry/client';
import { hasReason, type OwnerReference } from '@wherry/kubeapi/objects';
import { againOnConflict } from '../machinery/again-on-conflict.ts';
import type { GraphNode } from '../owners/object-graph.ts';
import { findMetadata } from './owner-lookup.ts';

/** How an object that nobody owns any more is deleted. */
export type Propagation = 'Foreground' | 'Background' | 'Orphan';

/** A change of an object's metadata, seen from what it is now; undefined when there is nothing to change. */
type MetadataChange = (live: KubeObject) => object | undefined;

/**
 * The collector's writes. Each says which object (uid) and which state of it (resourceVersion) it is meant for, so
 * that nothing is done on old news. All of them take it as done when the object is gone.
 */
export class ObjectWrites {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** The object as it is now; undefined when it is gone, or cannot be seen. */
  async find(
    { type, namespace, name, uid }: GraphNode,
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    const found = await findMetadata(this.#client, { type, namespace, name, signal });
    return found !== 'unserved' && found?.metadata?.uid === uid ? found : undefined;
  }

  /** Deletes the object if it still is in the state of `live`; false when it has changed and must be looked at again. */
  async delete(
    node: GraphNode,
    live: KubeObject,
    propagationPolicy: Propagation,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { uid } = node;
    const resourceVersion = live.metadata?.resourceVersion ?? '';
    try {
      const options = { propagationPolicy, preconditions: { uid, resourceVersion }, signal };
      await this.#client.resource(node.type).delete(keyOf(node), options);
      return true;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return true;
      if (hasReason(error, 'Conflict')) return false;
      throw error;
    }
  }

  /** Takes the references to these owners away. */
  dropOwners(node: GraphNode, ownerUids: readonly string[], signal: AbortSignal): Promise<void> {
    const dropped = new Set(ownerUids);
    return this.#changeOwners(node, signal, (owners) => owners.filter(({ uid }) => !dropped.has(uid)));
  }

  /** Lets all owners go before this object. */
  unblockOwners(node: GraphNode, signal: AbortSignal): Promise<void> {
    return this.#changeOwners(node, signal, (owners) =>
      owners.map((owner) => (owner.blockOwnerDeletion ? { ...owner, blockOwnerDeletion: false } : owner)),
    );
  }

  dropFinalizer(node: GraphNode, finalizer: string, signal: AbortSignal): Promise<void> {
    return this.#change(node, signal, ({ metadata }) => {
      const { finalizers = [] } = metadata ?? {};
      if (!finalizers.includes(finalizer)) return undefined;
      return { finalizers: finalizers.filter((each) => each !== finalizer) };
    });
  }

  #changeOwners(
    node: GraphNode,
    signal: AbortSignal,
    next: (owners: OwnerReference[]) => OwnerReference[],
  ): Promise<void> {
    return this.#change(node, signal, ({ metadata }) => {
      const { ownerReferences = [] } = metadata ?? {};
      const changed = next(ownerReferences);
      const isSame =
        changed.length === ownerReferences.length &&
        changed.every((each, index) => each === ownerReferences[index]);
      return isSame ? undefined : { ownerReferences: changed };
    });
  }

  async #change(node: GraphNode, signal: AbortSignal, change: MetadataChange): Promise<void> {
    const { type, uid } = node;
    await againOnConflict(async () => {
      const live = await this.find(node, signal);
      const metadata = live && change(live);
      if (!metadata) return;
      const { resourceVersion } = live.metadata ?? {};
      const patch = { metadata: { uid, resourceVersion, ...metadata } };
      try {
        await this.#client.resource(type).patch({ ...keyOf(node), type: 'merge', patch, signal });
      } catch (error) {
        if (!hasReason(error, 'NotFound')) throw error;
      }
    });
  }
}

function keyOf({ type, namespace, name }: { type: ResourceType; namespace: string; name: string }) {
  return { name, ...(type.namespaced ? { namespace } : {}) };
}
