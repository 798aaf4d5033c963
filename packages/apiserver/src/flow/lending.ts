import type { Level } from './level.ts';

/**
 * Places that levels lend each other: what one keeps is its own whatever happens, and the rest of all is had by
 * whoever asks first. One that is given back goes to a level that has less than its part, if any waits.
 */
export class Lending {
  /** Those in force, and those that are gone and still have requests. */
  readonly #levels = new Set<Level>();

  add(level: Level): void {
    this.#levels.add(level);
  }

  hasPlace(level: Level): boolean {
    const { places, queue } = level;
    if (queue.placesTaken < places.kept) return true;
    if (queue.placesTaken >= places.max) return false;
    let shared = 0;
    for (const { places: each, queue: other } of this.#levels)
      shared += each.nominal - each.kept - Math.max(0, other.placesTaken - each.kept);
    return shared > 0;
  }

  /** Serves those that wait, as far as there are places. */
  startWaiting(): void {
    while (this.#startOne());
    for (const level of this.#levels) if (level.isRetired && level.isIdle) this.#levels.delete(level);
  }

  #startOne(): boolean {
    const waiting = [...this.#levels].filter(({ queue }) => queue.waiting > 0);
    const hasLess = ({ places, queue }: Level) => queue.placesTaken < places.nominal;
    const inTurn = [...waiting.filter(hasLess), ...waiting.filter((level) => !hasLess(level))];
    return inTurn.some(({ queue }) => queue.startNext());
  }
}
