import { concatenate } from '@wherry/bytes';
import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { HttpAnswer } from './door.ts';

/** Reads a whole answer. Throws `ClientError` `bad-answer` when it is longer than `bytesMax` or torn. */
export async function readBody({ body }: Pick<HttpAnswer, 'body'>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > bytesMax)
        throw new ClientError('bad-answer', `the answer is longer than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ClientError) throw error;
    throw new ClientError('bad-answer', `the answer was cut short: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return concatenate(chunks, length);
}

/** Reads what comes of an answer, at most `bytesMax`. Never throws: a longer one is cut, of a torn one it is what came. */
export async function readStart({ body }: Pick<HttpAnswer, 'body'>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, bytesMax - length));
      length += chunk.length;
      if (length >= bytesMax) break;
    }
  } catch {
    // The head has said what matters.
  }
  return concatenate(chunks, Math.min(length, bytesMax));
}

/** Reads an answer that nobody wants to its end, so that its connection can be used again; a long one is cut. */
export async function discardBody(answer: HttpAnswer): Promise<void> {
  await readBody(answer, limits.errorBodyBytesMax).catch(() => answer.cancel());
}
