import { isAlive } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import type { Container } from './container-record.ts';

/**
 * What may be said of containers while no monitor is there. One whose process lives runs; one whose process is gone has
 * ended, and only a monitor can find out how: until then it is neither running nor exited.
 */
export class Certainty {
  readonly #monitorKnows: () => boolean;

  /** `monitorKnows`: a monitor is there and has told everything it saw. */
  constructor(monitorKnows: () => boolean) {
    this.#monitorKnows = monitorKnows;
  }

  /** The container as lists show it: `unknown` as long as its end was not told. */
  shown(container: Container): Container {
    return this.#isOpen(container) ? { ...container, state: 'unknown' } : container;
  }

  /**
   * The container, whose state is known. Throws `RuntimeError` UNAVAILABLE otherwise: a kubelet that was told "unknown"
   * would restart even what must run once; one that is told nothing waits.
   */
  known(container: Container): Container {
    if (!this.#isOpen(container)) return container;
    const why = 'no monitor is there to tell how; ask again when one is back';
    throw new RuntimeError('UNAVAILABLE', `container ${container.id} has ended and ${why}`);
  }

  #isOpen({ state, pid, startTicks }: Container): boolean {
    return state === 'running' && !this.#monitorKnows() && !isAlive({ pid, startTicks });
  }
}
