import { EventWindow } from './event-window.ts';
import type { StoreEvent, StoreWatch, StoreWatchOptions } from './store.ts';

interface Watcher extends StoreWatchOptions {
  /** Highest revision that was reported. */
  reported: number;
}

/** Hands durable events to watchers, each one once and in order, and remembers the latest for those who come later. */
export class WatchHub {
  readonly #watchers = new Set<Watcher>();
  readonly #window: EventWindow;

  /** Knows nothing of what happened up to `revision`. */
  constructor(revision: number) {
    this.#window = new EventWindow(revision);
  }

  /** Events after `revision`, or undefined when not all of them are remembered. */
  recent(revision: number): readonly StoreEvent[] | undefined {
    return this.#window.since(revision);
  }

  /** Everything after this revision is remembered. */
  get firstRevision(): number {
    return this.#window.afterRevision;
  }

  /** From now on nobody is told of what came before or at `revision`. */
  forget(revision: number): void {
    this.#window.forget(revision);
  }

  /** Adds a watcher that gets `missed` now, and whatever is published after `revision`. */
  add(options: StoreWatchOptions, missed: readonly StoreEvent[], revision: number): StoreWatch {
    const watcher: Watcher = { ...options, reported: revision };
    this.#watchers.add(watcher);
    const matching = missed.filter((event) => event.key.startsWith(options.prefix));
    if (matching.length > 0) options.onEvents(matching);
    return { close: () => this.#watchers.delete(watcher) };
  }

  /** One commit's events. */
  publish(events: readonly StoreEvent[]): void {
    for (const event of events) this.#window.push(event);
    for (const watcher of [...this.#watchers]) this.#report(watcher, events);
  }

  /** Ends all watches. */
  close(error: Error): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const watcher of watchers) watcher.onEnd?.(error);
  }

  #report(watcher: Watcher, events: readonly StoreEvent[]): void {
    // One watcher's reaction may have closed another.
    if (!this.#watchers.has(watcher)) return;
    const isNews = (event: StoreEvent) =>
      event.revision > watcher.reported && event.key.startsWith(watcher.prefix);
    // The very same list for all who want all of it: they can share what they make of it.
    const matching = events.every(isNews) ? events : events.filter(isNews);
    if (matching.length === 0) return;
    watcher.reported = matching.at(-1)!.revision;
    watcher.onEvents(matching);
  }
}
