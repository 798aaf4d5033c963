/** Where a container stands. `unknown`: it ended while nobody could see how. */
export type ContainerState = 'created' | 'running' | 'exited' | 'unknown';

/** Why a container ended, in the words that CRI clients look for; empty while it has not. */
export type ExitReason = '' | 'Completed' | 'Error' | 'OOMKilled' | 'Unknown';

/** What to start and how its stdio is wired. The bundle's config.json and rootfs must be ready. */
export interface CreateContainerRequest {
  id: string;
  /** The pod sandbox that the container belongs to; only told back, never read. */
  sandboxId: string;
  /** Folder with config.json. Must outlive the container. */
  bundle: string;
  /** One pseudo-terminal instead of three pipes; must agree with config.json's `process.terminal`. */
  terminal: boolean;
  /** Keep a stdin that attaching clients can write to; otherwise the process reads end of file. */
  stdin: boolean;
  /** Close that stdin when the first attached client is done with it (never with a terminal). */
  stdinOnce: boolean;
  /** Absolute path of the CRI log; its folder must exist. Null: output goes to attached clients only. */
  logPath: string | null;
  /** Kill what is left in the container's cgroup once its first process ended (shared or host PID namespace). */
  killLeftovers: boolean;
  /** Start it in the same step (one OCI runtime call less than create and start). Default false. */
  start?: boolean;
  /** The OCI runtime's program, when not the monitor's own. */
  ociRuntime?: string;
  /** Its processes are brought back instead of started; with `start`. */
  checkpoint?: CheckpointFolders;
}

/** Where the state of a container's processes lies (CRIU's image files), and what CRIU says of its work. */
export interface CheckpointFolders {
  /** Must exist. In a folder that nobody else writes to: CRIU takes what lies here for granted. */
  imagePath: string;
  /** Must exist; `dump.log`, `restore.log` and statistics come to lie here. */
  workPath: string;
}

/** A container as the monitor knows it. Times are nanoseconds since the epoch, 0n for "not yet". */
export interface ContainerStatus {
  id: string;
  sandboxId: string;
  bundle: string;
  state: ContainerState;
  /** Process id in the monitor's PID namespace; still told after the exit. */
  pid: number;
  /** When that process started, in clock ticks since boot: a later process with the same id has another. */
  startTicks: number;
  createdAtNs: bigint;
  startedAtNs: bigint;
  finishedAtNs: bigint;
  /** 128 + signal when a signal ended it; 255 when unknown. */
  exitCode: number;
  reason: ExitReason;
  message: string;
  oomKilled: boolean;
  terminal: boolean;
  stdin: boolean;
  stdinOnce: boolean;
  logPath: string | null;
  /** Log writes that failed (disk full and the like); what they held went to attached clients only. */
  logWriteErrors: number;
  /** Bytes of output that these writes were to log. The log says where they are missing. */
  lostLogBytes: number;
}
