/** Bounds of this client. Each is enforced where it is used; none grows with the server's answer. */
export const limits = {
  /** Longest JSON answer that is read into memory, in bytes. A page of 500 pods is about 5 MB. */
  responseBytesMax: 256 * 1024 * 1024,
  /** Longest error body kept for a message, in bytes. */
  errorBodyBytesMax: 1024 * 1024,
  /** Longest single line of a watch, in bytes. The server stores objects of at most 3 MiB. */
  watchLineBytesMax: 16 * 1024 * 1024,
  /** Longest text of manifests that is taken apart, in characters. */
  manifestCharactersMax: 16 * 1024 * 1024,
  /** How long an object is waited for unless told otherwise, in milliseconds. */
  waitTimeoutMs: 30_000,
  /** How long a custom resource that was just defined may take to be served, in milliseconds, and how often one looks. */
  definitionWaitMs: { timeoutMs: 30_000, pauseMs: 200 },
  /** Longest line of a log that is handed out whole, in bytes. */
  logLineBytesMax: 16 * 1024 * 1024,
  /** Objects asked for per page of a list. */
  listPageSize: 500,
  /** Times that one request is sent again: the server said Retry-After, or tore the connection of a GET. */
  retriesMax: 10,
  /** Longest Retry-After that is waited out, in milliseconds. */
  retryAfterMsMax: 30_000,
  /** Streams that one HTTP/2 connection carries at most, or fewer if the server takes fewer; then another is made. */
  http2StreamsMax: 100,
  /** What the server may send ahead of a reader over HTTP/2: of one stream, and of a connection, in bytes. */
  http2WindowBytes: 1024 * 1024,
  http2ConnectionWindowBytes: 16 * 1024 * 1024,
  /**
   * How long a server may take for its first words in HTTP/2, which it says at once, in milliseconds. Node (24.21) is not told of a
   * reset that comes at this very moment: such a connection is seen to be dead by this alone.
   */
  http2SettingsMs: 5_000,
  /** While streams are open: time between two pings, and how long an answer may take, in milliseconds (as client-go). */
  http2PingIntervalMs: 30_000,
  http2PongTimeoutMs: 15_000,
  /** Idle keep-alive connections kept per server. */
  idleSocketsMax: 8,
  /** How long a token file's content is reused before it is read again, in milliseconds; less when it is refused. */
  tokenFileReuseMs: 60_000,
  /** How long certificates in files are used before they are read again, in milliseconds. */
  tlsFilesReuseMs: 10_000,
  /** What a credential plugin may print, in bytes. */
  pluginOutputBytesMax: 1024 * 1024,
  /** How long a connection to the server, through a proxy or not, may take to stand, in milliseconds. */
  connectTimeoutMs: 30_000,
  /** Longest answer of a proxy to CONNECT that is read, in bytes of its head. */
  proxyHeadBytesMax: 64 * 1024,
  /** First and longest wait of an informer between two failed attempts, in milliseconds. */
  informerBackoffMs: { initialMs: 100, maxMs: 5_000 },
  /** An informer that went well for so long begins its waits with the first one again, in milliseconds. */
  informerCalmMs: 120_000,
  /** A watch that ended without an event within so many milliseconds is begun again later and later. */
  shortWatchMs: 1_000,
  /** A watch that nothing comes from for so long, not even a bookmark, is begun again, in milliseconds. */
  watchSilenceMs: 120_000,
  /** How long one page of an informer's list may take, in milliseconds. */
  listPageTimeoutMs: 60_000,
  /** Shortest life of a watch as asked from the server, in seconds; the longest is twice that. */
  watchTimeoutSecondsMin: 300,
  /** Output kept per stream of a command that is run for its answer, in bytes. */
  captureBytesMax: 1024 * 1024,
  /** Bytes queued on a browser's WebSocket from which on writers wait, and how often they look, in milliseconds. */
  webSocketHighWaterBytes: 1024 * 1024,
  webSocketDrainPollMs: 10,
  /** What a browser's WebSocket may bring beyond what is read, in bytes: it can't be made to wait. */
  webSocketHeldBytesMax: 64 * 1024 * 1024,
  /** Pause before a cut log is fetched again, in milliseconds. */
  logResumePauseMs: 500,
  /** A followed log gives up when its server has been away for this long, in milliseconds. */
  logOutageMs: 120_000,
  /** How long a forwarded connection waits for the pod behind it to be there again, in milliseconds. */
  forwardReconnectMs: 60_000,
  /** Pause between two attempts to reach the pod behind a forwarded port, in milliseconds. */
  forwardRetryMs: { initialMs: 100, maxMs: 2_000 },
  /** Connections that one listener of a forwarded port holds at once. */
  forwardConnectionsMax: 4096,
  /** Times that a copy is taken up again where it was cut. */
  copyRetriesMax: 5,
  /** First and longest pause before a cut copy is taken up again, in milliseconds. */
  copyRetryMs: { initialMs: 200, maxMs: 5_000 },
  /** After an archive broke: how long its connection may take to say that it broke first, in milliseconds. */
  copyCutMs: 1_000,
  /** Files below this are sent anew where a copy was cut, in bytes. */
  copyContinueBytesMin: 1024 * 1024,
  /** A file is continued at a multiple of this, in bytes. */
  copyBlockBytes: 64 * 1024,
  /** Answer of `sha256sum -c` in a container that is read, in bytes. */
  checkOutputBytesMax: 64 * 1024 * 1024,
  /** Of what a failed command said, or a server without a Status, how much goes into the message. */
  messageCharactersMax: 2_000,
  /** Of what a status says, how much of each message goes into the words of who waited in vain. */
  statusMessageCharactersMax: 300,
  /** Keys of one queue of work that wait; more are turned away, and all are looked at anew when these are done. */
  queueKeysMax: 100_000,
  /** Keys of one queue that are worked on at once. */
  queueConcurrency: 4,
  /** First and longest wait before a key that failed is worked on again, in milliseconds. */
  queueRetryMs: { initialMs: 50, maxMs: 30_000 },
  /** How long a lease holds after its last renewal, in milliseconds (client-go's LeaseDuration, as of upstream's managers). */
  leaseDurationMs: 15_000,
  /** A leader that could not renew for so long stops, in milliseconds (RenewDeadline). */
  leaseRenewDeadlineMs: 10_000,
  /** How often a lease is renewed, or asked for, in milliseconds (RetryPeriod). */
  leaseRetryMs: 2_000,
  /** First and longest wait after a lease could not be asked for, in milliseconds. */
  leaseFailureMs: { initialMs: 50, maxMs: 250 },
  /** How long giving a lease back at the end may take, in milliseconds. */
  leaseReleaseMs: 1_000,
  /** Events waiting to be sent; more are lost. */
  eventQueueMax: 1_000,
  /** Distinct events remembered, so that they are joined. */
  eventMemoryMax: 4_096,
  /** Events of one object that pass at once, and after how many milliseconds one more may. */
  eventBurst: 25,
  eventRefillMs: 300_000,
  /** Similar events within so many milliseconds become one, from this one on. */
  similarEventsMs: 600_000,
  similarEventsMax: 10,
  /** How often an event is sent, and the pause before it is sent again, in milliseconds. */
  eventTriesMax: 12,
  eventRetryMs: 1_000,
} as const;
