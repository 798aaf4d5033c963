/** How long a server waits for the client's streams, and a client for the answer to each. */
export const streamCreationTimeoutMs = 30_000;

/** How long a terminal session waits for the resize stream once all others are there; not every client opens it. */
export const resizeStreamGraceMs = 1_000;

/** Silence that ends a session; pings break it. */
export const idleTimeoutMs = 4 * 60 * 60 * 1000;

/** How long a server waits, after the Status, for a slow client to read everything and leave. */
export const lingerTimeoutMs = 4 * 60 * 60 * 1000;

/** Time between two SPDY pings of a client, and of a server whose client pings. */
export const pingIntervalMs = 5_000;

/** Silence after which a client gives a SPDY server up that answers no ping: 12 missed answers and a second. */
export const clientSilenceTimeoutMs = 61_000;

/**
 * The same for a server, whose client used to ping. Long enough for a client that was stopped for a while or a machine
 * that slept.
 */
export const serverSilenceTimeoutMs = 300_000;

/** Largest text taken from an error stream. */
export const statusBytesMax = 1024 * 1024;

/** Largest unfinished piece of a resize message that is kept. */
export const resizeCharactersMax = 1024;

/** So much of what comes at once on a resize stream is read, the end of it: sizes before that are over. */
export const resizeBytesMax = 4096;

/** How long the empty first message to a v5 client waits for something to go in front of. */
export const greetingDelayMs = 50;
