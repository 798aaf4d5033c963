import { type KubeObject, keyOf } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { limits } from '../limits.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';

type AnyHandle = Pick<InformerHandle<KubeObject>, 'objects' | 'resourceVersion'>;

interface Unseen {
  sinceMs: number;
  /** The newest version written of what each informer follows. */
  versions: Map<AnyHandle, bigint>;
  /** What was deleted, and by which uid. */
  deletions: { handle: AnyHandle; key: string; uid: string | undefined }[];
}

/**
 * What a controller has written for each of its keys that its informers have not shown yet. Work on a key waits for it, so
 * that nothing is made or deleted twice (upstream: controller expectations, and the consistency store of KEP-5647;
 * resource versions grow, KEP-5504).
 */
export class OwnWrites {
  readonly #clock: Clock;
  readonly #unseen = new Map<string, Unseen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes an object as the server answered it to a create, update or patch. */
  wrote(key: string, handle: AnyHandle, { metadata }: KubeObject): void {
    const version = versionOf(metadata?.resourceVersion);
    if (version === undefined) return;
    const { versions } = this.#of(key);
    const known = versions.get(handle);
    if (known === undefined || known < version) versions.set(handle, version);
  }

  /** Notes the deletion of an object that the informer shows. */
  deleted(key: string, handle: AnyHandle, object: KubeObject): void {
    this.#of(key).deletions.push({ handle, key: keyOf(object), uid: object.metadata?.uid });
  }

  /** Whether all is seen that was written for that key. After `limits.unseenWriteMs` it counts as seen, as upstream. */
  areSeen(key: string): boolean {
    const unseen = this.#unseen.get(key);
    if (!unseen) return true;
    const isOld = this.#clock.monotonicMs() - unseen.sinceMs > limits.unseenWriteMs;
    if (!isOld && !isSeen(unseen)) return false;
    this.#unseen.delete(key);
    return true;
  }

  /** Forgets a key, whose object is gone. */
  forget(key: string): void {
    this.#unseen.delete(key);
  }

  #of(key: string): Unseen {
    const known = this.#unseen.get(key);
    if (known) return known;
    const fresh: Unseen = { sinceMs: this.#clock.monotonicMs(), versions: new Map(), deletions: [] };
    this.#unseen.set(key, fresh);
    return fresh;
  }
}

function isSeen({ versions, deletions }: Unseen): boolean {
  for (const [handle, version] of versions) {
    const shown = versionOf(handle.resourceVersion);
    if (shown === undefined || shown < version) return false;
  }
  return deletions.every(({ handle, key, uid }) => {
    const metadata = handle.objects.get(key)?.metadata;
    return metadata?.uid !== uid || metadata?.deletionTimestamp !== undefined;
  });
}

function versionOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined;
}
