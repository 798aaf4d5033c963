/** Largest request or response head taken from a peer. */
export const headBytesMax = 1024 * 1024;

/** How much of a refusing answer's body is kept for the error text. */
export const refusalBodyBytesMax = 64 * 1024;

/** How long a refusing answer's body may take. */
export const refusalBodyTimeoutMs = 10_000;

/** Largest WebSocket message taken from a peer (what x/net/websocket takes by default). */
export const messageBytesMax = 32 * 1024 * 1024;

/** Bytes queued on a socket from which on writers are told to wait. */
export const highWaterBytes = 1024 * 1024;

/** Bytes that the channels of one WebSocket hold together for stalled readers before the socket is paused. */
export const heldBytesMax = 1024 * 1024;

/** Larger writes to a channel leave as several messages. */
export const channelMessageBytesMax = 256 * 1024;

/** Tunnel writes of one tick leave as one message, up to about this size. */
export const tunnelMessageBytesMax = 256 * 1024;

/** How long the first of two streams that belong together waits for the second; a client on this network is faster. */
export const halfPairMs = 2;

/** Bytes that wait with it. */
export const halfPairBytesMax = 4096;

/** Payloads below this are copied behind their frame head: one buffer is cheaper than two. */
export const mergeBytesMax = 2048;

/** Time between WebSocket pings, and between the looks at a silent peer. */
export const pingIntervalMs = 5_000;

/** Silence after which a client gives a WebSocket up: 12 missed pongs and a second. */
export const clientSilenceTimeoutMs = 61_000;

/**
 * Bytes sent behind the last answered ping above which the peer's silence does not count: Go servers answer no ping
 * while their process takes no input.
 */
export const stalledPeerBytes = 64 * 1024;

/** Silence after which a server gives a connection up; pings and pongs count as life. */
export const idleTimeoutMs = 4 * 60 * 60 * 1000;

/**
 * The same for a client that used to ping: it would, had it not gone. Long enough for one that was stopped for a while or
 * a machine that slept.
 */
export const pingingClientSilenceTimeoutMs = 300_000;

/** After a client has ended its direction: silence of the backend that ends the connection. */
export const departedClientTimeoutMs = 300_000;

/** How long a closed WebSocket waits for the peer to take what is queued and answer. */
export const closeTimeoutMs = 30_000;

/** How long a proxy may take to write a refusal to the client. */
export const refusalWriteTimeoutMs = 10_000;

/** Idle time after which TCP probes whether a peer is still there. */
export const keepAliveDelayMs = 30_000;
