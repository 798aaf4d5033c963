import type { KubeObject, ResourceType } from '@wherry/client';
import type { ServedKinds } from '../watching/served-kinds.ts';
import type { SharedInformers } from '../watching/shared-informers.ts';
import { type GraphNode, nodeOf, ObjectGraph } from './object-graph.ts';
import { ObjectMonitors } from './object-monitors.ts';

/** What an index tells of. */
export interface OwnerListener {
  /** An object is there, or has changed. */
  seen(node: GraphNode, change: { previous: GraphNode | undefined; hasNewOwners: boolean }): void;
  gone(object: KubeObject): void;
  /** Other kinds are served than before. */
  kindsChanged(): void;
  /** The first list of a kind is complete. */
  synced(): void;
}

/** Nobody owns an event, and an event owns nothing (upstream: DefaultIgnoredResources). */
const isIgnored = ({ plural }: ResourceType) => plural === 'events';

/** What says which kinds the server has. */
const definesKinds = ({ plural }: ResourceType) =>
  plural === 'customresourcedefinitions' || plural === 'apiservices';

/** Who owns whom, of every kind that can be followed: discovery says which there are. */
export class OwnerIndex {
  readonly graph = new ObjectGraph();
  readonly #served: ServedKinds;
  readonly #monitors: ObjectMonitors;
  readonly #listeners: OwnerListener[] = [];

  constructor({ informers, served }: { informers: SharedInformers; served: ServedKinds }) {
    this.#served = served;
    this.#monitors = new ObjectMonitors(informers, {
      seen: (type, object) => this.#seen(type, object),
      gone: (type, object) => this.#gone(type, object),
      unserved: (type) => this.graph.forget(type),
      synced: () => {
        for (const listener of this.#listeners) listener.synced();
      },
    });
    served.onChange(() => this.#follow());
    this.#follow();
  }

  /** Registers a listener; what is known by then is in the {@link graph}. */
  on(listener: OwnerListener): void {
    this.#listeners.push(listener);
  }

  /** Whether all that there is of all kinds is in the graph. */
  get isComplete(): boolean {
    return this.#served.failed.length === 0 && this.isSynced;
  }

  /** Whether the first lists of all kinds that are known of are complete; false while none is known. */
  get isSynced(): boolean {
    return this.#served.withVerbs('list').length > 0 && this.#monitors.unsynced().length === 0;
  }

  /** Whether no more is to be heard soon: the first lists are complete, or fail for now. */
  get isSettled(): boolean {
    return this.#served.withVerbs('list').length > 0 && this.#monitors.expected().length === 0;
  }

  close(): Promise<void> {
    return this.#monitors.close();
  }

  #follow(): void {
    const deletable = this.#served.withVerbs('delete', 'list', 'watch');
    this.#monitors.follow(deletable.filter((type) => !isIgnored(type)));
    for (const listener of this.#listeners) listener.kindsChanged();
  }

  #seen(type: ResourceType, object: KubeObject): void {
    if (definesKinds(type)) this.#served.expectChange();
    const node = nodeOf(type, object);
    if (!node) return;
    const change = this.graph.put(node);
    for (const listener of this.#listeners) listener.seen(node, change);
  }

  #gone(type: ResourceType, object: KubeObject): void {
    if (definesKinds(type)) this.#served.expectChange();
    this.graph.remove(object.metadata?.uid ?? '');
    for (const listener of this.#listeners) listener.gone(object);
  }
}
