import { ClientError, StatusError } from '@wherry/client';

/** How a terminal's session stands. */
export type Outcome =
  | { kind: 'opening' | 'open' | 'closed' }
  | { kind: 'exited'; exitCode: number }
  | { kind: 'refused' | 'broken'; message: string };

/** What is wrong when a session ends without an exit code. Only what was said to have ended has ended. */
export function outcomeOf(error: unknown, wasOpen: boolean): Outcome {
  // What a translator on the way puts in front of a refusal.
  const message = messageOf(error).replace(/^(?:Internal error occurred: )+/, '');
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

/** What keeps something from being read, and what comes next: refusals are told as they are, the others pass. */
export function troubleOf(error: unknown): string {
  const message = messageOf(error);
  const isOfConsole = message.startsWith('console: open the link');
  if (isOfConsole || (error instanceof StatusError && error.code < 500 && error.code !== 429)) return message;
  return `${message} (asked again until it answers; what is shown may be old)`;
}

/** Whether it will be refused again, however often it is asked. */
export const isForbidden = (error: unknown): boolean => error instanceof StatusError && error.code === 403;

/** What a failure says to people. */
export function messageOf(error: unknown): string {
  if (error instanceof StatusError && error.code === 401 && !error.message.startsWith('console: '))
    return `${error.message}: the API server does not take the kubeconfig's credentials (any more); renew them`;
  if (error instanceof StatusError || error instanceof ClientError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
