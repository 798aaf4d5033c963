import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@wherry/clock';
import { periods } from '../limits.ts';

/** Gives what is awaited between two expressions in CEL: when they have run long enough, others have their turn. */
export function expressionTurns(clock: Clock): () => Promise<void> {
  let startMs = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - startMs < periods.expressionTurnMs) return;
    await nextTurn();
    startMs = clock.monotonicMs();
  };
}
