/**
 * Holding: a second process keeps the kernel objects of every container open, so that a container survives the death
 * of its monitor. The monitor says what to hold; the holder answers a new monitor's question with what it has.
 * Descriptors travel as numbers: the receiver copies them out of the other process with pidfd_getfd(2).
 */
import type { ProcessIdentity } from '@wherry/linux';

/** Keep these open for one container. */
export interface HoldRequest {
  containerId: string;
  process: ProcessIdentity;
  /** FIFOs to keep a read end of (stdout, stderr). */
  readPaths: string[];
  /** FIFOs to keep a write end of (stdin while it is open). */
  writePaths: string[];
  /** The pseudo-terminal's master in the monitor's descriptor table, or null. */
  terminalDescriptor: number | null;
}

/** What a monitor tells its holder. */
export type HoldMessage =
  | { kind: 'hold'; monitorPid: number; request: HoldRequest }
  /** The container's stdin ends: close the write ends, or its reader never sees the end of file. */
  | { kind: 'release-stdin'; containerId: string }
  | { kind: 'release'; containerId: string };

/** How a process ended, seen by the holder. */
export interface ObservedExit {
  exitCode: number;
  finishedAtNs: bigint;
}

/** What a holder has for one container, told to a new monitor. */
export interface HeldContainer {
  containerId: string;
  process: ProcessIdentity;
  /** Descriptor numbers in the holder's table. */
  pidDescriptor: number | null;
  terminalDescriptor: number | null;
  /** Set when the process ended while no monitor was there. */
  exit: ObservedExit | null;
}

/** The holding side, as `MonitorClient` drives it. */
export interface Holder {
  /** Applies one message of the monitor; must not throw for objects that are already gone. */
  apply(message: HoldMessage): void;
  /** Everything held, for a monitor that has just come (back). */
  held(): HeldContainer[];
  /** The monitor is gone: from now on exits are the holder's to notice. */
  monitorLost(): void;
  /** A monitor has taken over. */
  monitorFound(): void;
}
