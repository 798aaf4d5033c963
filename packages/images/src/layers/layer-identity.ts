import { type Digest, digestOf, hexOf } from './digest.ts';

/** An unpacked layer. */
export interface Layer {
  /** Folder name inside the store: short, because the overlay's mount options must fit one page. Says nothing else. */
  key: string;
  /** What was unpacked, see {@link identityOf}. */
  identity: Digest;
  /** Digest of the uncompressed tar. */
  diffId: Digest;
  bytes: number;
  inodes: number;
}

const keyDigits = 16;

/**
 * What a layer is found by: its diff id alone; or, when it took something from the layers below, a digest over all
 * their diff ids and its own.
 */
export function identityOf(diffIds: readonly Digest[]): Digest {
  const [only] = diffIds;
  return diffIds.length === 1 && only ? only : digestOf(diffIds.join(' '));
}

/** A folder name for a layer, one that `isTaken` does not know: the first digits of its identity, then a number. */
export function keyFor(identity: Digest, isTaken: (key: string) => boolean): string {
  const start = hexOf(identity).slice(0, keyDigits);
  let key = start;
  for (let number = 1; isTaken(key); number++) key = `${start}-${number}`;
  return key;
}

/** A record as it lies on disk. Those written before layers had an identity lack it. */
export type LayerRecord = Omit<Layer, 'identity'> & { identity?: Digest };

/**
 * The layer that a record tells of, when it lies in the folder `name`. A record without an identity is that of a layer
 * that stands alone if its folder is named by its diff id; what other such records were bound to is not known, so they
 * are not used any more.
 */
export function layerOf(name: string, record: LayerRecord): Layer | undefined {
  if (record.key !== name) return undefined;
  if (record.identity) return { ...record, identity: record.identity };
  return hexOf(record.diffId).startsWith(name) ? { ...record, identity: record.diffId } : undefined;
}
