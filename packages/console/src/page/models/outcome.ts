import { ClientError, StatusError } from '@wherry/client';

/** How a terminal's session stands. */
export type Outcome =
  | { kind: 'opening' | 'open' | 'closed' }
  | { kind: 'exited'; exitCode: number }
  | { kind: 'refused' | 'broken'; message: string };

/** What is wrong when a session ends without an exit code. Only what was said to have ended has ended. */
export function outcomeOf(error: unknown, wasOpen: boolean): Outcome {
  const message = messageOf(error);
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'aborted') return { kind: 'closed' };
  if (code === 'failure' || !wasOpen) return { kind: 'refused', message };
  return { kind: 'broken', message };
}

/** An outcome in a sentence. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'opening':
      return 'opening…';
    case 'open':
      return 'open';
    case 'closed':
      return 'closed by this page';
    case 'exited':
      return `the command ended with exit code ${outcome.exitCode}`;
    case 'refused':
      return `not run: ${outcome.message}`;
    case 'broken':
      return `the session broke, and nobody has said how the command ended: ${outcome.message}`;
  }
}

/** What a failure says to people. */
export function messageOf(error: unknown): string {
  if (error instanceof StatusError || error instanceof ClientError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
