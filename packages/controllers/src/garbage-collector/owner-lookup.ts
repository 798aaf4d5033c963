import type { KubeClient, KubeObject, ResourceType } from '@wherry/client';
import { hasReason, type OwnerReference } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import { someAtOnce } from '../machinery/some-at-once.ts';
import { type GraphNode, isPlaced, nodeOf, type ObjectGraph } from '../owners/object-graph.ts';
import type { ServedKinds } from '../watching/served-kinds.ts';

/**
 * What an owner reference points at:
 *
 * - `solid`: the owner is there; `isObserved` = changes of it will be reported;
 * - `waiting`: it is being deleted and waits for its dependents;
 * - `absent`: the server serves that kind and says that no such object is there, or another under that name;
 * - `unknown`: nobody can say, since the kind is not served (now);
 * - `misplaced`: a cluster-scoped dependent can't have a namespaced owner.
 */
export type OwnerState = 'solid' | 'waiting' | 'absent' | 'unknown' | 'misplaced';

/** One reference of a dependent and what became of it. */
export interface JudgedOwner {
  reference: OwnerReference;
  state: OwnerState;
  isObserved: boolean;
}

/** Judges owners: by the graph what is there, by the server alone what is not. */
export class OwnerLookup {
  readonly #client: KubeClient;
  readonly #graph: ObjectGraph;
  readonly #served: ServedKinds;
  /** References that lead nowhere; a uid never comes back. Oldest first. */
  readonly #absent = new Set<string>();

  constructor(options: { client: KubeClient; graph: ObjectGraph; served: ServedKinds }) {
    this.#client = options.client;
    this.#graph = options.graph;
    this.#served = options.served;
  }

  /** What the graph knows of an owner; undefined when it knows nothing that settles the matter. */
  observed(dependent: GraphNode, reference: OwnerReference): JudgedOwner | undefined {
    const owner = this.#graph.get(reference.uid);
    if (!owner || !isPlaced(dependent, reference, owner)) return undefined;
    return { reference, state: owner.waitsForDependents ? 'waiting' : 'solid', isObserved: true };
  }

  /** Judges all references, some at a time: who writes an object says how many there are. Rejects when the server can't be asked. */
  async judgeAll(dependent: GraphNode, signal: AbortSignal): Promise<JudgedOwner[]> {
    const judged: JudgedOwner[] = [];
    await someAtOnce(dependent.owners, limits.ownersAtOnce, async (reference) => {
      judged.push(await this.#judge(dependent, reference, signal));
    });
    return judged;
  }

  async #judge(dependent: GraphNode, reference: OwnerReference, signal: AbortSignal): Promise<JudgedOwner> {
    const observed = this.observed(dependent, reference);
    if (observed) return observed;
    return { reference, isObserved: false, state: await this.#ask(dependent, reference, signal) };
  }

  async #ask(dependent: GraphNode, reference: OwnerReference, signal: AbortSignal): Promise<OwnerState> {
    const type = this.#served.find(reference.apiVersion, reference.kind);
    if (!type) return 'unknown';
    if (type.namespaced && dependent.namespace === '') return 'misplaced';
    const namespace = type.namespaced ? dependent.namespace : '';
    const { apiVersion, kind, name, uid } = reference;
    const key = JSON.stringify([apiVersion, kind, namespace, name, uid]);
    if (this.#absent.has(key)) return 'absent';
    const found = await findMetadata(this.#client, { type, namespace, name, signal });
    if (found === 'unserved') return 'unknown';
    if (found?.metadata?.uid === uid) return nodeOf(type, found)?.waitsForDependents ? 'waiting' : 'solid';
    this.#remember(key);
    return 'absent';
  }

  #remember(key: string): void {
    this.#absent.add(key);
    if (this.#absent.size <= limits.absentOwnersMax) return;
    for (const oldest of this.#absent) {
      this.#absent.delete(oldest);
      return;
    }
  }
}

/**
 * An object's metadata as the server has it now; undefined when the server says that this very object is not there,
 * `unserved` when it does not know the path. Both are 404; only the first one's Status names the object.
 */
export async function findMetadata(
  client: KubeClient,
  target: { type: ResourceType; namespace: string; name: string; signal: AbortSignal },
): Promise<KubeObject | 'unserved' | undefined> {
  const { type, namespace, name, signal } = target;
  try {
    const key = { name, ...(type.namespaced ? { namespace } : {}), signal };
    return await client.metadata(type).get(key);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    return error.status.details?.name === name ? undefined : 'unserved';
  }
}
