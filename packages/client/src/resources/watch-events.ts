import { fromStatus, type Status } from '@wherry/kubeapi';
import { ClientError } from '../errors.ts';
import { parseJson } from '../http/answer.ts';
import { splitLines } from '../http/lines.ts';
import { limits } from '../limits.ts';
import type { KubeObject } from '../objects/objects.ts';

/** One change. A BOOKMARK's object carries nothing but its resourceVersion. */
export interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: T;
}

const knownTypes = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/** Decodes the body of a watch. An ERROR event is thrown as `StatusError`, a malformed line as `ClientError`. */
export async function* readWatch<T extends KubeObject>(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<WatchEvent<T>> {
  for await (const line of splitLines(body, { bytesMax: limits.watchLineBytesMax })) {
    const event = parseJson(line) as { type?: string; object?: unknown } | null;
    if (event?.type === 'ERROR') throw fromStatus((event.object ?? {}) as Status);
    if (!event?.type || !knownTypes.has(event.type) || typeof event.object !== 'object') {
      throw new ClientError('bad-answer', `the watch sent an event of type "${event?.type}"`);
    }
    yield event as WatchEvent<T>;
  }
}
