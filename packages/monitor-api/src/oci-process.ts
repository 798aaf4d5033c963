/**
 * The parts of the OCI runtime specification that cross this wire, in its own field names
 * (opencontainers/runtime-spec config.md, "Process" and "Linux resources").
 */

/** A process to run in a container, as `runc exec --process` takes it. */
export interface OciProcess {
  /** Whether the process gets a pseudo-terminal of its own. */
  terminal?: boolean;
  consoleSize?: { height: number; width: number };
  user: { uid: number; gid: number; umask?: number; additionalGids?: number[] };
  /** Program and arguments; at least one entry. */
  args: string[];
  /** `NAME=value` entries; the whole environment. */
  env?: string[];
  /** Working directory inside the container, absolute. */
  cwd: string;
  capabilities?: {
    bounding?: string[];
    effective?: string[];
    inheritable?: string[];
    permitted?: string[];
    ambient?: string[];
  };
  rlimits?: { type: string; soft: number; hard: number }[];
  noNewPrivileges?: boolean;
  apparmorProfile?: string;
  oomScoreAdj?: number;
  selinuxLabel?: string;
}

/** Limits as `runc update --resources` takes them. Absent fields stay as they are. */
export interface OciResources {
  memory?: { limit?: number; reservation?: number; swap?: number };
  cpu?: { shares?: number; quota?: number; period?: number; cpus?: string; mems?: string; idle?: number };
  pids?: { limit: number };
  hugepageLimits?: { pageSize: string; limit: number }[];
  unified?: Record<string, string>;
}
