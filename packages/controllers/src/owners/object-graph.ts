import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ResourceType } from '@wherry/client';
import { formatApiVersion, type OwnerReference } from '@wherry/kubeapi/objects';

/** Finalizers that ask the collector for work before an owner may go (upstream: metav1.FinalizerDeleteDependents). */
export const finalizers = { foreground: 'foregroundDeletion', orphan: 'orphan' } as const;

/** What the collector must know of an object. */
export interface GraphNode {
  readonly uid: string;
  readonly type: ResourceType;
  /** Empty for what is cluster-scoped. */
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly isBeingDeleted: boolean;
  /** Being deleted, once its dependents have lost their reference to it. */
  readonly waitsForOrphaning: boolean;
  /** Being deleted, once its blocking dependents are gone. */
  readonly waitsForDependents: boolean;
}

/** The node of an object; undefined for one without a uid. */
export function nodeOf(type: ResourceType, { metadata }: KubeObject): GraphNode | undefined {
  if (!metadata?.uid) return undefined;
  const isBeingDeleted = metadata.deletionTimestamp !== undefined;
  const waits = (finalizer: string) => isBeingDeleted && (metadata.finalizers ?? []).includes(finalizer);
  return {
    uid: metadata.uid,
    type,
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    owners: metadata.ownerReferences ?? [],
    isBeingDeleted,
    waitsForOrphaning: waits(finalizers.orphan),
    waitsForDependents: waits(finalizers.foreground),
  };
}

/** Whether the owner stands where the reference says, as seen from `dependent`. A uid alone proves nothing. */
export function isPlaced(dependent: GraphNode, reference: OwnerReference, owner: GraphNode): boolean {
  const { group, version } = owner.type;
  const [referenceGroup] = reference.apiVersion.includes('/') ? reference.apiVersion.split('/') : [''];
  const isSameKind =
    reference.kind === owner.type.kind &&
    (reference.apiVersion === formatApiVersion(group, version) || referenceGroup === group);
  return isSameKind && reference.name === owner.name && isWithinReach(dependent, owner);
}

/** Owners are cluster-scoped or of the dependent's own namespace. */
export function isWithinReach(dependent: GraphNode, owner: GraphNode): boolean {
  return owner.namespace === '' || owner.namespace === dependent.namespace;
}

/** Objects by uid, and who depends on whom. Owners that nobody has seen have dependents as well. */
export class ObjectGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** By the owner's uid; the dependents' uids. */
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** All objects. */
  nodes(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  /** Adds or replaces; returns what was there, and whether its owners are others now. */
  put(node: GraphNode): { previous: GraphNode | undefined; hasNewOwners: boolean } {
    const previous = this.#nodes.get(node.uid);
    this.#nodes.set(node.uid, node);
    const hasNewOwners = !isDeepStrictEqual(previous?.owners ?? [], node.owners);
    if (hasNewOwners) {
      if (previous) this.#unlink(previous);
      for (const { uid } of node.owners) this.#link(uid, node.uid);
    }
    return { previous, hasNewOwners };
  }

  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (!node) return;
    this.#nodes.delete(uid);
    this.#unlink(node);
  }

  /** Drops what is of that resource, as if it had never been seen. */
  forget({ group, plural }: ResourceType): void {
    for (const { uid, type } of [...this.#nodes.values()])
      if (type.group === group && type.plural === plural) this.remove(uid);
  }

  /** The objects that name this owner. */
  dependentsOf(ownerUid: string): GraphNode[] {
    return [...(this.#dependents.get(ownerUid) ?? [])].map((uid) => this.#nodes.get(uid)!);
  }

  /** Those of them that an owner in foreground deletion waits for: nobody waits for what only says so, in another namespace. */
  blockingDependentsOf(owner: GraphNode): GraphNode[] {
    return this.dependentsOf(owner.uid).filter((dependent) =>
      dependent.owners.some(
        (reference) =>
          reference.uid === owner.uid &&
          reference.blockOwnerDeletion &&
          isPlaced(dependent, reference, owner),
      ),
    );
  }

  #link(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    if (known) known.add(dependent);
    else this.#dependents.set(owner, new Set([dependent]));
  }

  #unlink({ uid: dependent, owners }: GraphNode): void {
    for (const { uid } of owners) {
      const known = this.#dependents.get(uid);
      known?.delete(dependent);
      if (known?.size === 0) this.#dependents.delete(uid);
    }
  }
}
