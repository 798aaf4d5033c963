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

/** Both sides of a change; parsed once, however many watchers look at it. */
interface ChangeView {
  current: Snapshot | null;
  /** The state before, with the revision of the change: what a deletion reports. */
  previous: Snapshot | null;
}

/** Turns store events of one resource into watch events. */
export class WatchEvents {
  /** What one commit sends to every watch of plain JSON without selectors. */
  readonly sharedBatches = new WeakMap<readonly StoreEvent[], Buffer>();
  readonly #resource: ServedResource;
  readonly #views = new WeakMap<StoreEvent, ChangeView>();

  constructor(resource: ServedResource) {
    this.#resource = resource;
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
