import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import type { ServedKinds } from './served-kinds.ts';
import type { SharedInformers } from './shared-informers.ts';

/** What every controller works with. */
export interface ControllerContext {
  client: KubeClient;
  informers: SharedInformers;
  served: ServedKinds;
  clock: Clock;
  logger: Logger;
}

/** A running control loop. */
export interface Controller {
  /** Ends the loop; nothing is written after it has resolved. */
  close(): Promise<void>;
}

/** Calls `step` every `periodMs`, the next period starting when the step has ended; failures are logged. */
export function every(context: ControllerContext, periodMs: number, step: () => Promise<void>): Controller {
  const { clock, logger } = context;
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  const schedule = () =>
    clock.after(periodMs, () => {
      running = step()
        .catch((error: unknown) => {
          if (!isClosed) logger.warn('a periodic step failed', { error });
        })
        .then(() => {
          if (!isClosed) timer = schedule();
        });
    });
  let timer = schedule();
  return {
    async close() {
      isClosed = true;
      timer.cancel();
      await running;
    },
  };
}
