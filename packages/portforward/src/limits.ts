/** How long half a stream pair waits for the other half. */
export const streamCreationTimeoutMs = 30_000;

/** Silence that ends a session; pings break it. */
export const idleTimeoutMs = 4 * 60 * 60 * 1000;

/** Time between two SPDY pings of a client, and of a server whose client pings. */
export const pingIntervalMs = 5_000;

/** Silence after which a client gives a SPDY server up that answers no ping: 12 missed answers and a second. */
export const clientSilenceTimeoutMs = 61_000;

/**
 * The same for a server, whose client used to ping. Long enough for a client that was stopped for a while or a machine
 * that slept.
 */
export const serverSilenceTimeoutMs = 300_000;

/** Time between two SPDY pings inside a WebSocket. */
export const tunnelPingIntervalMs = 10_000;

/** Connections of one session at a time, those that wait for their other half included. */
export const connectionsMax = 4_096;

/** Largest text taken from an error stream. */
export const errorBytesMax = 64 * 1024;
