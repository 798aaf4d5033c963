import { isAlive } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import type { Container } from './container-record.ts';

/**
 * What may be said of containers while no monitor is there. One whose process lives runs; one whose process is gone has
 * ended, and only a monitor can find out how: until then it is neither running nor exited. One whose start was asked for
 * and not answered runs, has ended or was never started, and only a monitor knows which.
 */
export class Certainty {
  readonly #monitorKnows: () => boolean;
  /** Containers that may have been started though they count as created. */
  readonly #unanswered = new Set<string>();

  /** `monitorKnows`: a monitor is there and has told everything it saw. */
  constructor(monitorKnows: () => boolean) {
    this.#monitorKnows = monitorKnows;
  }

  /** The answer to a container's start was lost, or may have been: with the monitor, or with an earlier runtime. */
  startUnanswered(id: string): void {
    this.#unanswered.add(id);
  }

  /** A monitor has told all containers: what was not among them was never started. */
  monitorTold(): void {
    this.#unanswered.clear();
  }

  /** The container as lists show it: `unknown` as long as its end, or whether it was started, was not told. */
  shown(container: Container): Container {
    return this.#isOpen(container) ? { ...container, state: 'unknown' } : container;
  }

  /**
   * The container, whose state is known. Throws `RuntimeError` UNAVAILABLE otherwise: a kubelet that was told "unknown"
   * would restart even what must run once; one that is told nothing waits.
   */
  known(container: Container): Container {
    if (!this.#isOpen(container)) return container;
    const what = container.state === 'created' ? 'may have been started' : 'has ended';
    const why = 'no monitor is there to tell; ask again when one is back';
    throw new RuntimeError('UNAVAILABLE', `container ${container.id} ${what} and ${why}`);
  }

  #isOpen({ id, state, pid, startTicks }: Container): boolean {
    if (this.#monitorKnows()) return false;
    if (state === 'created') return this.#unanswered.has(id);
    return state === 'running' && !isAlive({ pid, startTicks });
  }
}
