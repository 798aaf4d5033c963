import type { Logger } from './logger.ts';

/** What becomes of unattended work that fails. */
export interface UnattendedOptions {
  logger: Logger;
  /** What was being done, as the log's sentence says it: `a request`. */
  task: string;
  /** Cleans up behind the failure; what it throws is dropped. */
  onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * Lets work run that nobody waits for. Its failure is a line in the log; without this it would be an unhandled
 * rejection, on which Node ends the process.
 */
export function unattended(work: Promise<unknown>, { logger, task, onFailure }: UnattendedOptions): void {
  work.catch((error: unknown) => {
    logger.error(`${task} failed where nothing should`, { error, stack: stackOf(error) });
    try {
      onFailure?.(error);
    } catch {
      // The failure above is the one to tell of.
    }
  });
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
