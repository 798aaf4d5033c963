import type { Digest } from '../layers/digest.ts';

/** How far one blob of a transfer is. A layer that is here, or there, already begins with `present`. */
export type TransferPhase = 'present' | 'waiting' | 'downloading' | 'unpacking' | 'uploading' | 'done';

/** News of one blob of an image on its way. */
export interface TransferProgress {
  digest: Digest;
  phase: TransferPhase;
  /** Bytes that have been moved, of `totalBytes`. */
  doneBytes: number;
  totalBytes: number;
}

/** Is told of each step; must not throw. */
export type OnProgress = (progress: TransferProgress) => void;
