import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';

/** How many of one flow are served at once, and how many may wait. */
export interface FairQueueBounds {
  /** Of one flow: the others keep a place even when those of this one are never given back. */
  placesPerFlowMax: number;
  waitingMax: number;
  waitingPerFlowMax: number;
  waitMaxMs: number;
}

/** Where the places come from. */
export interface FairQueueOptions extends FairQueueBounds {
  /** True while there is a place beside those that are taken here. */
  hasPlace(): boolean;
  /** Called after a place was given back: somebody else may take it. */
  onPlaceFree(): void;
  clock: Clock;
}

/** Why somebody gets no place. */
export type RefusalReason = 'queue-full' | 'time-out' | 'cancelled';

/** No place for this one. */
export class FlowRefusal extends Error {
  override readonly name = 'FlowRefusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`no place: ${reason}`);
    this.reason = reason;
  }
}

interface Waiter {
  start(): void;
  refuse(reason: RefusalReason): void;
}

interface Flow {
  placesTaken: number;
  waiting: Waiter[];
}

/**
 * Places that several flows share: who has the fewest is served next, so that a flow with a thousand requests delays
 * another's by about one. When everything is full the longest flow loses its newest request.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  #bounds: FairQueueBounds;
  /** Only flows that hold or want a place. A flow that was served goes to the end. */
  readonly #flows = new Map<string, Flow>();
  #placesTaken = 0;
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#bounds = options;
  }

  /** Other bounds from now on; who waits already goes on waiting. */
  bound(bounds: FairQueueBounds): void {
    this.#bounds = bounds;
  }

  /** Requests that are being served. */
  get placesTaken(): number {
    return this.#placesTaken;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Resolves when there is a place; call the result once to give it back. Rejects with a {@link FlowRefusal} when too
   * many wait, when the wait is too long (default: as its bounds say), or when `signal` aborts.
   */
  enter(name: string, signal: AbortSignal, waitMaxMs: number = this.#bounds.waitMaxMs): Promise<() => void> {
    const flow = this.#flows.get(name) ?? this.#add(name);
    if (this.#hasPlaceFor(flow)) return Promise.resolve(this.#take(name, flow));
    const { waitingMax, waitingPerFlowMax } = this.#bounds;
    const isFull = flow.waiting.length >= waitingPerFlowMax;
    if (isFull || (this.#waiting >= waitingMax && !this.#makeRoom(flow))) {
      this.#forgetIdle(name, flow);
      return Promise.reject(new FlowRefusal('queue-full'));
    }
    return this.#wait(name, flow, { signal, waitMaxMs });
  }

  #wait(
    name: string,
    flow: Flow,
    { signal, waitMaxMs }: { signal: AbortSignal; waitMaxMs: number },
  ): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    let leave = () => {};
    const settle = () => {
      timer.cancel();
      leave();
      flow.waiting.splice(flow.waiting.indexOf(waiter), 1);
      this.#waiting -= 1;
    };
    const waiter: Waiter = {
      start: () => {
        settle();
        resolve(this.#take(name, flow));
      },
      refuse: (reason) => {
        settle();
        this.#forgetIdle(name, flow);
        reject(new FlowRefusal(reason));
      },
    };
    const timer = this.#options.clock.after(waitMaxMs, () => waiter.refuse('time-out'));
    flow.waiting.push(waiter);
    this.#waiting += 1;
    leave = onAbort(signal, () => waiter.refuse('cancelled'));
    return promise;
  }

  #add(name: string): Flow {
    const flow: Flow = { placesTaken: 0, waiting: [] };
    this.#flows.set(name, flow);
    return flow;
  }

  #hasPlaceFor({ placesTaken }: Flow): boolean {
    return placesTaken < this.#bounds.placesPerFlowMax && this.#options.hasPlace();
  }

  #take(name: string, flow: Flow): () => void {
    flow.placesTaken += 1;
    this.#placesTaken += 1;
    this.#flows.delete(name);
    this.#flows.set(name, flow);
    return () => {
      flow.placesTaken -= 1;
      this.#placesTaken -= 1;
      this.#forgetIdle(name, flow);
      this.#options.onPlaceFree();
    };
  }

  /** Serves the next that waits, where there is a place for it; false when nobody was served. */
  startNext(): boolean {
    let next: Flow | undefined;
    for (const flow of this.#flows.values()) {
      if (flow.waiting.length === 0 || !this.#hasPlaceFor(flow)) continue;
      if (!next || flow.placesTaken < next.placesTaken) next = flow;
    }
    next?.waiting[0]?.start();
    return next !== undefined;
  }

  /** Takes the newest request off the longest flow, unless that is the one that asks. */
  #makeRoom(asking: Flow): boolean {
    let longest = asking;
    for (const flow of this.#flows.values()) if (flow.waiting.length > longest.waiting.length) longest = flow;
    if (longest.waiting.length <= asking.waiting.length + 1) return false;
    longest.waiting.at(-1)?.refuse('queue-full');
    return true;
  }

  #forgetIdle(name: string, flow: Flow): void {
    if (flow.placesTaken === 0 && flow.waiting.length === 0 && this.#flows.get(name) === flow) {
      this.#flows.delete(name);
    }
  }
}
