/** Bounds of starting and ending a node. Times in milliseconds. */
export const limits = {
  /** How long a start waits for each part to be ready before it gives up. */
  readyTimeoutMs: 60_000,
  /** Pause between two looks at something that is about to be ready. */
  readyPollMs: 15,
  /** A probe of a socket or a port that takes longer counts as failed. */
  probeTimeoutMs: 10_000,
  /** How long a process may take to end after SIGTERM before it gets SIGKILL. */
  processStopTimeoutMs: 8_000,
  /** How long a container may take to end after its stop signal when its node goes down. */
  containerStopTimeoutSeconds: 3,
  /** Last lines of a process's log that are shown when it failed to start. */
  logTailLines: 20,
  /** Bytes from the end of a log file that are read for these lines. */
  logTailBytes: 64 * 1024,
  /** A log of a process of the node begins anew when it has as many bytes; what it had is kept beside it, once. */
  logBytesMax: 10 * 1024 ** 2,
  /** Bytes that are written between two looks at how large a log has become. */
  logLookBytes: 64 * 1024,
  /** sun_path holds 108 bytes with its final NUL; longer socket paths go through a short link. */
  socketPathBytesMax: 100,
  /** A disk with less room than that is full: the API server needs as much for one write. */
  fullDiskBytes: 256 * 1024,
  /** A node that has less disk left than that, or than 1 % of a smaller disk, evicts pods. */
  diskLeftMebibytes: 256,
  /** How long a second start or end of the same folder waits for the first. */
  lockTimeoutMs: 90_000,
  /** Pause between two tries for the lock of `--lock-file`. */
  lockRetryMs: 500,
  /** Leaf certificates that expire sooner are issued anew by a start. */
  certificateRenewBeforeMs: 30 * 24 * 3_600_000,
  /** What an installation has compiled is removed when it has compiled nothing for so long. */
  compiledUnusedMs: 30 * 24 * 3_600_000,
  /** Pause between two looks at whether a part has become quiet and holds memory that it could give back. */
  quietLookMs: 2_000,
  /** Looks in a row that must find a part quiet before its memory is collected. */
  quietLooks: 3,
  /** A part is quiet while its thread is busy for at most this share of the time. */
  quietBusyShareMax: 0.1,
  /** Resident memory, in MiB, by which a part must have grown since the last collection to be worth another. */
  quietGrowthMebibytes: 8,
  /** Characters that who keeps a store's place may say of it. */
  storePlaceLength: 16 * 1024,
  /** Connections to who keeps a store's place at one time. */
  storePlaceConnections: 100,
} as const;
