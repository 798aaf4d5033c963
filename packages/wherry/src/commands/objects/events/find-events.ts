import { type KubeClient, kinds } from '@wherry/client';
import type { Event } from '@wherry/kubeapi';
import { limits } from '../../../limits.ts';
import { itemsInChunks } from '../../../objects/in-chunks.ts';

/** Which events {@link findEvents} finds. */
export interface EventsWanted {
  namespace: string | undefined;
  fieldSelector: string | undefined;
  /** How many are asked for at once; 0 for all. Default `limits.listChunkSize`. */
  chunkSize?: number;
}

/** Events that the selector leaves, the oldest first. */
export async function findEvents(
  client: KubeClient,
  { chunkSize = limits.listChunkSize, ...query }: EventsWanted,
): Promise<Event[]> {
  const items = await itemsInChunks(chunkSize, (part) =>
    client.resource<Event>(kinds.events).list({ ...query, ...part }),
  );
  return items.sort((one, other) => lastSeenMs(one) - lastSeenMs(other));
}

/** When it was seen last, in milliseconds since the epoch; 0 where nothing says it. */
export function lastSeenMs({ series, lastTimestamp, eventTime, metadata }: Event): number {
  const time = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return time ? Date.parse(time) : 0;
}
