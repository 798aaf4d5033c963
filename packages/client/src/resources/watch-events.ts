import { shownJson } from '@wherry/bytes';
import { fromStatus, isJsonObject, type JsonObject, type Status } from '@wherry/kubeapi/objects';
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
    const event = parseJson(line);
    const { type, object }: JsonObject = isJsonObject(event) ? event : {};
    if (type === 'ERROR') throw fromStatus((isJsonObject(object) ? object : {}) as unknown as Status);
    if (typeof type !== 'string' || !knownTypes.has(type) || !isJsonObject(object)) {
      throw new ClientError('bad-answer', `the watch sent an event of type "${shownJson(type)}"`);
    }
    yield { type, object } as unknown as WatchEvent<T>;
  }
}
