import { DeadError } from '../machine/participant.ts';

type Listener = NodeJS.UnhandledRejectionListener;

/**
 * While it is held, rejections out of killed processes are nobody's: their code ran on for a moment, and nothing of it
 * counts. All others go where they went.
 */
export function ignoreGhosts(): Disposable {
  const others = process.listeners('unhandledRejection') as Listener[];
  const judge: Listener = (reason, promise) => {
    if (reason instanceof DeadError) return;
    if (others.length === 0) throw reason;
    for (const other of others) other(reason, promise);
  };
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', judge);
  return {
    [Symbol.dispose]() {
      process.off('unhandledRejection', judge);
      for (const other of others) process.on('unhandledRejection', other);
    },
  };
}
