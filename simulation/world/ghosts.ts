import { DeadError } from '../machine/participant.ts';
import { anySignal } from './any-signal.ts';

/** What is left of a run when it is over: code that still waits for something. */
export interface Ghosts extends Disposable {
  /** Lets what was told of its end run out: from now on no error is anybody's. */
  end(): Promise<void>;
}

/** Turns of the event loop in which what waited runs out. */
const turns = 3;

/**
 * While it is held, rejections and errors out of killed processes are nobody's: their code ran on for a moment, and nothing of it
 * counts. All others go where they went, until the run is over.
 */
export function holdGhosts(): Ghosts {
  let isOver = false;
  const { any } = AbortSignal;
  AbortSignal.any = anySignal;
  const isNobodys = (error: unknown) => isOver || error instanceof DeadError;
  const judge = (others: readonly Listener[]) => (reason: unknown, more: unknown) => {
    if (isNobodys(reason)) return;
    if (others.length === 0) throw reason;
    for (const other of others) other(reason, more);
  };
  const undo = ['unhandledRejection', 'uncaughtException'].map((event) => replace(event, judge));
  return {
    async end() {
      isOver = true;
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
