/** Bounds of the monitor: memory, time and counts. */
export const limits = {
  /** Formatted log bytes of one write. Lines expand: an empty one becomes an entry of about 45 bytes. */
  logWriteBytesMax: 1024 * 1024,
  /** Capacity asked for of a container's output pipes: what it may write while no monitor reads. */
  outputPipeBytes: 256 * 1024,
  /** Output still taken from a stream after its container's time is over, when strangers go on writing. */
  outputAfterStopBytesMax: 1024 * 1024,
  /** Bytes of one direct read from a terminal or pipe. */
  readBytes: 64 * 1024,
  /** Reads of one descriptor before others get their turn. */
  readsPerTurn: 16,
  /** Bytes queued towards a process's stdin before its writer has to wait. */
  stdinHighWaterBytes: 256 * 1024,
  stdinLowWaterBytes: 64 * 1024,
  /**
   * How long an attached client may take nothing before its container goes on without it. A slow reader behind two
   * proxies takes several MiB at a time, when the kernel's buffers on the way have emptied: at 200 kB/s that shows here
   * every 18 s.
   */
  attachPatienceMs: 30_000,
  /** What is still sent to a client that takes nothing: its container is slowed down to this, not stopped. */
  attachTrickleBytesPerSecond: 16 * 1024,
  /** How often a client that takes nothing is looked at. */
  attachLookMs: 250,
  /** Bytes an attached client may be behind before it is dropped. */
  attachBacklogBytesMax: 4 * 1024 * 1024,
  /** Both outputs of an ExecSync together: a gRPC reply of 16 MiB less its frame. */
  execSyncOutputBytesMax: 16 * 1024 * 1024 - 64 * 1024,
  /** After a process ended and its own output is through: how long others may keep its pipe open. */
  execDrainMs: 200,
  /** The same for the last output of a container. */
  containerDrainMs: 2_000,
  /** After a vanished exec client's process got SIGHUP: time before SIGKILL. */
  abandonedExecGraceMs: 10_000,
  /** How long the kernel may take to tell that a control group is gone, after it went. */
  groupEndNoticeMs: 100,
  /** How often it is tried to note how a container has ended, while there is no room for it. */
  recordRetryMs: 1_000,
  /** How often, and how far apart, a new monitor tries to take on a container before it gives it up. */
  adoptAttempts: 3,
  adoptRetryMs: 200,
  /** How long an exit code may take to show once a process that is no child has ended. */
  exitCodeWaitMs: 1_000,
  /** Pause between two looks for it. */
  exitCodeLookMs: 5,
  /** Pause between two looks at what a keeper tells. */
  keeperLookMs: 1,
  /** Pause between two sweeps for orphans that ended and have no other parent. */
  orphanSweepMs: 5_000,
  /** When they are looked for after a call of the OCI runtime, which leaves some. */
  orphanLookMs: 250,
  /** How long a start that is under way may still take once the process is not wanted any more. */
  execStartAfterStopMs: 2_000,
  /** Free room on the disk of a monitor's folder below which the files of exec calls go elsewhere. */
  execRoomBytes: 64 * 1024 * 1024,
  /** Exec processes prepared for sessions that have their URL and have not come yet: each is a waiting OCI runtime. */
  preparedExecsMax: 8,
  /** How long such a preparation waits; a session that comes later is prepared then. */
  preparedExecLifetimeMs: 5_000,
  /** Events kept for subscribers that come back. */
  eventsKept: 4_096,
  /** Bytes of an OCI runtime's log, and of CRIU's, that are read for its error message. */
  ociLogBytesMax: 64 * 1024,
  /** How often, and how far apart, the OCI runtime is asked to delete a container. */
  deleteAttempts: 5,
  deleteRetryMs: 100,
  /** Time for one OCI runtime call. */
  ociCallTimeoutMs: 120_000,
  /** Time for one that writes the memory of a container's processes to disk; what is cut short may end them. */
  checkpointTimeoutMs: 3_600_000,
  /** Largest list of a checkpoint's streams. */
  streamKeysBytesMax: 64 * 1024,
  /** Errors of CRIU's log that are told. */
  criuErrorsMax: 4,
  /** How often, and how far apart, it is tried to let processes go on that stand still for a checkpoint. */
  resumeAttempts: 5,
  resumeRetryMs: 200,
  /** How long a process with a terminal waits for the size of a client that has a way to tell it: two round trips. */
  firstSizeWaitMs: 100,
  /** How long a killed program of the machine may still take to end before its caller is answered. */
  programDeathMs: 2_000,
  /** How long an OCI runtime's terminal may take to arrive. */
  terminalWaitMs: 10_000,
} as const;
