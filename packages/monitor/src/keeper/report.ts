import { closeSync, constants, openSync } from 'node:fs';
import { peekPipe } from '@wherry/linux';

/** How a container's first process ended, as its keeper saw it. */
export interface KeptExit {
  pid: number;
  /** 128 + signal when a signal ended it. */
  exitCode: number;
  finishedAtNs: bigint;
}

/** All that a keeper has told; it stays in the pipe for whoever comes. */
export interface KeeperReport {
  /** The keeper's own process id. */
  pid: number;
  /** The OCI runtime's. */
  runtimePid: number;
  /** The OCI runtime's wait status; null while it works. */
  runtimeStatus: number | null;
  exit: KeptExit | null;
}

const messageBytes = 32;
const messagesMax = 3;
const kinds = { started: 1, runtimeEnded: 2, exited: 3 } as const;
/** CLD_EXITED of waitid(2); the others are ends by a signal. */
const exitedByItself = 1;
const nsPerSecond = 1_000_000_000n;

/**
 * Reads a keeper's pipe without taking anything out. "starting": it has told nothing yet. Null: there is no keeper, or
 * no longer: nobody else has the pipe open.
 */
export function readReport(path: string): KeeperReport | 'starting' | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const bytes = peekPipe(descriptor, messageBytes * messagesMax);
    return bytes && decodeReport(bytes);
  } finally {
    closeSync(descriptor);
  }
}

function decodeReport(bytes: Buffer): KeeperReport | 'starting' {
  let report: KeeperReport | null = null;
  for (let at = 0; at + messageBytes <= bytes.byteLength; at += messageBytes) {
    const [kind = 0, value = 0, third = 0, fourth = 0] = [0, 4, 8, 12].map((offset) =>
      bytes.readInt32LE(at + offset),
    );
    if (kind === kinds.started) report = { pid: third, runtimePid: value, runtimeStatus: null, exit: null };
    else if (kind === kinds.runtimeEnded && report) report.runtimeStatus = value;
    else if (kind === kinds.exited && report) {
      const exitCode = third === exitedByItself ? fourth : 128 + fourth;
      const finishedAtNs = bytes.readBigInt64LE(at + 16) * nsPerSecond + bytes.readBigInt64LE(at + 24);
      report.exit = { pid: value, exitCode, finishedAtNs };
    }
  }
  return report ?? 'starting';
}
