import type { Store } from '@wherry/apiserver';

/** What runs in this process until it is closed. */
export interface RunningPart {
  /** Where the API server keeps its objects. Closed with it. */
  readonly store: Store;
  /** Resolves with the reason when the store can't go on; stays pending otherwise. */
  readonly failed: Promise<Error>;
  /** Ends it; repeats are harmless. Its files stay. */
  close(): Promise<void>;
}
