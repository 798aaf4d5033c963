/** Bytes queued for writing from which on `write` returns false, unless the maker of the channel says otherwise. */
export const defaultHighWaterBytes = 256 * 1024;

/** Share of the high-water mark below which `drained` resolves. */
export const lowWaterShare = 0.5;

/** Size of the blocks into which an inbox gathers pieces that are too small to be held by reference. */
export const inboxBlockBytes = 16 * 1024;

/** A held piece may keep alive so many times its own size; smaller parts of larger memory are copied together. */
export const inboxBackingShare = 4;

/** Bytes that `iterate` reads ahead of its reader. */
export const iterateBytesMax = 64 * 1024;

/** What `collect` takes unless told otherwise. */
export const defaultCollectBytesMax = 16 * 1024 * 1024;
