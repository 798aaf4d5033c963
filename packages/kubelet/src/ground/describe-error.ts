import { CriError, inGoWords } from '@wherry/cri';
import { aggregateText } from '@wherry/kubeapi';

/** What went wrong, for events, statuses and answers: of a call of the runtime's in the words of Go's gRPC client, which users search for. */
export function describe(error: unknown): string {
  if (error instanceof CriError) return inGoWords(error);
  return error instanceof Error ? error.message : String(error);
}

/**
 * One failure or more as one error, told as Go's aggregates tell them, with the first as its cause; where all say the same it
 * is the first itself.
 */
export function oneError(
  failures: readonly Error[],
  tell: (error: Error) => string = ({ message }) => message,
): Error {
  const [first] = failures;
  const text = aggregateText(failures.map(tell));
  return first && text === tell(first) ? first : new Error(text, { cause: first });
}
