import { DeadError } from '../machine/participant.ts';

/** What is left of a run when it is over: code that still waits for something. */
export interface Ghosts extends Disposable {
  /**
   * Ends all that waits. Node keeps every signal of `AbortSignal.any` that somebody listens to until it aborts, and
   * with it all that waits for it: of processes that were killed, for good.
   */
  end(): Promise<void>;
}

/** Turns of the event loop in which what waited runs out. */
const turns = 3;

/**
 * While it is held, rejections and errors out of killed processes are nobody's: their code ran on for a moment, and nothing of it
 * counts. All others go where they went, until the run is over.
 */
export function holdGhosts(): Ghosts {
  const over = new AbortController();
  const { any } = AbortSignal;
  AbortSignal.any = (signals) => any.call(AbortSignal, [...signals, over.signal]);
  const isNobodys = (error: unknown) => over.signal.aborted || error instanceof DeadError;
  const judge = (others: readonly Listener[]) => (reason: unknown, more: unknown) => {
    if (isNobodys(reason)) return;
    if (others.length === 0) throw reason;
    for (const other of others) other(reason, more);
  };
  const undo = ['unhandledRejection', 'uncaughtException'].map((event) => replace(event, judge));
  return {
    async end() {
      over.abort(new DeadError('everything'));
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
    [Symbol.dispose]() {
      for (const each of undo) each();
      AbortSignal.any = any;
    },
  };
}

type Listener = (...args: unknown[]) => void;

/** Puts one listener in the place of all others, which it is made of. Gives back how to undo that. */
function replace(event: string, make: (others: readonly Listener[]) => Listener): () => void {
  const others = process.listeners(event as 'exit') as Listener[];
  const own = make(others);
  process.removeAllListeners(event);
  process.on(event, own);
  return () => {
    process.off(event, own);
    for (const other of others) process.on(event, other);
  };
}
