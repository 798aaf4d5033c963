import { StoreError } from './errors.ts';

/** All that is sealed begins with this, as upstream has it; nothing else does. */
export const sealedMark = 'k8s:enc:';

/** Where a value stands. */
export interface ValuePlace {
  /** As this server calls it. */
  readonly key: string;
  /** As the store calls it: what is sealed for one place may open at no other. */
  readonly storedKey: string;
}

/** What is stored in a value's stead. */
export interface SealedValue {
  /** Tells who can open the rest; begins with {@link sealedMark}, ends with a colon. */
  readonly prefix: string;
  readonly bytes: Buffer;
}

/** A value as it was before it was sealed. */
export interface OpenedValue {
  readonly plain: Buffer;
  /** It would be sealed otherwise now. */
  readonly isStale: boolean;
}

/** What values pass on their way to the disk and back. What can't be opened throws a `StoreError` `unreadable`. */
export interface Sealing {
  /** Another one: what was known of values does not hold any more. */
  readonly generation: number;
  /** Undefined: the value is stored as it is. Throws a `StoreError` `unavailable` while there is no key to seal by. */
  seal(value: string | Uint8Array, place: ValuePlace): SealedValue | undefined;
  /** Of bytes that begin with {@link sealedMark}. Throws {@link KeyNeeded}. */
  open(sealed: Buffer, place: ValuePlace): OpenedValue;
  /** Of a value that was stored as it is: whether it would be sealed now. */
  isPlainStale(place: ValuePlace): boolean;
}

/** Stores everything as it is, and opens nothing. */
export const noSealing: Sealing = {
  generation: 0,
  seal: () => undefined,
  open(_sealed, { key }) {
    throw unreadable(key, 'it is encrypted, and no key is known for it');
  },
  isPlainStale: () => false,
};

/** Thrown where a value's key is on its way: another try, once it has arrived, knows more. */
export class KeyNeeded extends Error {
  /** Rejects with a `StoreError` `unavailable` where nobody brings it. */
  readonly arrival: Promise<void>;

  constructor(arrival: Promise<void>) {
    super('the key of a value is on its way');
    this.arrival = arrival;
    // Whoever waits is told of failures.
    arrival.catch(() => {});
  }
}

/** What `read` gives, at once where no key is waited for. */
export function withKeys<T>(read: () => T): T | Promise<T> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof KeyNeeded)) throw error;
    return error.arrival.then(() => withKeys(read));
  }
}

/** For a value that nobody here can read. */
export function unreadable(key: string, why: string, cause?: unknown): StoreError {
  return new StoreError('unreadable', `the value of "${key}" can't be read: ${why}`, { key, cause });
}

/** True of bytes that {@link Sealing.open} is for. */
export function isSealed(bytes: Uint8Array): boolean {
  return (
    bytes.length >= sealedMark.length &&
    Buffer.from(bytes.buffer, bytes.byteOffset, sealedMark.length).toString('latin1') === sealedMark
  );
}

/** What `read` gives; undefined of a value that nobody here can read. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError && error.code === 'unreadable') return undefined;
    throw error;
  }
}
