import { shownSnapshots } from '../objects/shown-snapshots.ts';
import { Snapshot } from '../objects/snapshot.ts';
import type { ServedResource } from '../objects/strategy.ts';
import type { Selection } from '../requests/selection.ts';
import type { StoreEvent } from '../store/store.ts';

/** What a watch tells. */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** A change as one watcher sees it. */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  snapshot: Snapshot;
}

/** Events as they are sent, one behind the other. */
export interface WatchBatch {
  bytes: Buffer;
  /** Of each event. */
  lengths: readonly number[];
}

/** Both sides of a change; parsed once, however many watchers look at it. */
interface ChangeView {
  current: Snapshot | null;
  /** The state before, with the revision of the change: what a deletion reports. */
  previous: Snapshot | null;
}

/** Turns store events of one resource into watch events. */
export class WatchEvents {
  /** What one commit sends to every watch of plain JSON without selectors. */
  readonly sharedBatches = new WeakMap<readonly StoreEvent[], WatchBatch>();
  readonly #resource: ServedResource;
  readonly #views = new WeakMap<StoreEvent, ChangeView>();
  /** What is being converted, or has been. */
  readonly #pending = new WeakMap<StoreEvent, Promise<void>>();

  constructor(resource: ServedResource) {
    this.#resource = resource;
  }

  /**
   * Has other servers convert what {@link read} will look at; undefined where there is nothing to wait for. Rejects with
   * their StatusErrors.
   */
  prepare(events: readonly StoreEvent[]): Promise<void> | undefined {
    if (!this.#resource.conversion?.remote) return undefined;
    const missing = events.filter((event) => !this.#pending.has(event));
    if (missing.length > 0) {
      const work = this.#convert(missing);
      for (const event of missing) this.#pending.set(event, work);
      // Whoever waits is told of the failure; who asks afterwards has it tried again.
      work.catch(() => {
        for (const event of missing) this.#pending.delete(event);
      });
    }
    return Promise.all(new Set(events.map((event) => this.#pending.get(event)))).then(() => {});
  }

  async #convert(events: readonly StoreEvent[]): Promise<void> {
    const states = events.flatMap(({ current, previous, revision }) =>
      [current, previous].map((state) => state && { value: state.value, modRevision: revision }),
    );
    const there = states.filter((state) => state !== null);
    const shown = (await shownSnapshots(this.#resource, there)).values();
    const views = states.map((state) => (state ? shown.next().value! : null));
    for (const [index, event] of events.entries())
      this.#views.set(event, { current: views[2 * index]!, previous: views[2 * index + 1]! });
  }

  /** The event for a watcher with this selection; undefined when the change does not concern it. */
  read(event: StoreEvent, selection: Selection): WatchEvent | undefined {
    const { current, previous } = this.#viewOf(event);
    const isIn = current !== null && isSelected(current, selection);
    const wasIn = previous !== null && isSelected(previous, selection);
    if (isIn) return { type: wasIn ? 'MODIFIED' : 'ADDED', snapshot: current };
    return wasIn ? { type: 'DELETED', snapshot: previous } : undefined;
  }

  #viewOf(event: StoreEvent): ChangeView {
    let view = this.#views.get(event);
    if (!view) {
      const { current, previous, revision } = event;
      view = {
        current: current && new Snapshot(current.value, revision, this.#resource),
        previous: previous && new Snapshot(previous.value, revision, this.#resource),
      };
      this.#views.set(event, view);
    }
    return view;
  }
}

function isSelected(snapshot: Snapshot, selection: Selection): boolean {
  if (selection.isEmpty) return true;
  return selection.mayMatch(snapshot.value) && selection.matches(snapshot.object);
}
