import type { WorkQueue } from '@wherry/client';
import type { InformerHandle, Watch } from '../watching/shared-informers.ts';
import type { ClusterView } from './cluster-view.ts';

/** What a controller follows, by the name under which it looks at it. */
export type Watches = Readonly<Record<string, Watch>>;

type ObjectOf<W> = W extends Watch<infer T> ? T : never;

/** The informers of a controller's watches. */
export type Informers<W extends Watches> = { readonly [K in keyof W]: InformerHandle<ObjectOf<W[K]>> };

/** What became of an object that is followed. */
export type Change = 'added' | 'updated' | 'deleted';

/** What a controller works with. */
export interface ControllerContext<W extends Watches = Watches> {
  cluster: ClusterView;
  informers: Informers<W>;
  queue: WorkQueue;
}

/** The part of a controller that knows what should be. */
export interface Reconciler<W extends Watches = Watches> {
  /** Keys to work on since an object was added, updated (from `previous`) or deleted, by watch. Must not throw. */
  readonly keysOf?: {
    readonly [K in keyof W]?: (
      object: ObjectOf<W[K]>,
      change: Change,
      previous?: ObjectOf<W[K]>,
    ) => Iterable<string>;
  };
  /** Brings the thing called `key` to where it should be. A rejection is logged and tried again with back-off. */
  reconcile(key: string, signal: AbortSignal): Promise<void>;
  /** Adds the keys of all there is, after the queue was full; default: the keys of all that is followed. */
  refill?(): void;
  /** Gives back what it holds outside of the cluster. */
  close?(): void | Promise<void>;
}

/** What a controller declares of itself: the rest of the machinery follows from it. */
export interface ControllerPlan<W extends Watches> {
  /** As upstream calls it (cmd/kube-controller-manager/names). */
  name: string;
  /** The service account in `kube-system` that it acts as where each has its own; null: none. Default: that of its name. */
  account?: string | null;
  /** Informers of these run while the controller does, shared with the others. No key is worked on before their first lists are complete. */
  watches: W;
  /** Resources that it changes, as roles name them. */
  writes: readonly string[];
  /** Keys worked on at once. Default: the queue's own. */
  concurrency?: number;
  /** The key '' is worked on this often, in milliseconds, or as the cluster's view says; undefined = only keys of changes. */
  periodMs?: number | ((cluster: ClusterView) => number);
  build(context: ControllerContext<W>): Reconciler<W>;
}

/** A running control loop. */
export interface Controller {
  /** Ends the loop; nothing is written after it has resolved. */
  close(): Promise<void>;
}
