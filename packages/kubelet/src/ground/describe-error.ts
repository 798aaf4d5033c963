import { CriError, inGoWords } from '@wherry/cri';

/** What went wrong, for events, statuses and answers: of a call of the runtime's in the words of Go's gRPC client, which users search for. */
export function describe(error: unknown): string {
  if (error instanceof CriError) return inGoWords(error);
  return error instanceof Error ? error.message : String(error);
}
