/** Largest gRPC message either side accepts, in bytes: 16 MiB, as k8s.io/cri-client and containerd have it. */
export const messageBytesMax = 16 * 1024 * 1024;

/**
 * Characters of an error, on either side. A server's longer text, which an image may bring about, would not fit the trailers, and lose
 * its code; what a client is told goes on into events, statuses and logs.
 */
export const errorCharactersMax = 8_192;

/** How often an absent server is looked for, in milliseconds. */
export const reconnectMs = 100;

/** How long a call waits for a server that is away, in milliseconds. */
export const comeBackMs = 1_000;
