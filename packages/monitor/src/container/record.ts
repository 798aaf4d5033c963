import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentBoot, hasCode, type ProcessIdentity, writeRecord } from '@wherry/linux';
import type { CreateContainerRequest, ExitReason } from '@wherry/monitor-api';

/**
 * How far a container is. `creating` and `starting`: the OCI runtime was asked to create or start it, and has not
 * answered.
 */
export type ContainerPhase = 'creating' | 'created' | 'starting' | 'running' | 'exited' | 'unknown';

/** All that a new monitor needs to take a container on. Times are nanoseconds since the epoch. */
export interface ContainerRecord {
  request: CreateContainerRequest;
  phase: ContainerPhase;
  process: ProcessIdentity | null;
  /** The boot in which its processes are; after another one all of them are gone. */
  bootId: string;
  /** The process that holds its terminal, or a stdin that is to end once. */
  inputHolder: ProcessIdentity | null;
  /** Its control groups, in the form of /proc/PID/cgroup. */
  cgroups: string;
  /** With a group of systemd's: what had been killed for memory above it before it began; absent where that is not counted. */
  killsAbove?: number | undefined;
  createdAtNs: bigint;
  /** While `starting`: when that was asked for. */
  startedAtNs: bigint;
  finishedAtNs: bigint;
  exitCode: number;
  reason: ExitReason;
  message: string;
  oomKilled: boolean;
  logWriteErrors: number;
  lostLogBytes: number;
  /** False once stdin was closed for good. */
  stdinOpen: boolean;
  /** It stands still for a checkpoint, by this program of the OCI runtime once that has been started. */
  standstill?: { program: ProcessIdentity | null } | undefined;
}

const fileName = 'record.json';
const timeFields: ReadonlySet<string> = new Set(['createdAtNs', 'startedAtNs', 'finishedAtNs']);

/** A record for a container that is about to be made. */
export function newRecord(request: CreateContainerRequest): ContainerRecord {
  return {
    request,
    phase: 'creating',
    process: null,
    bootId: currentBoot(),
    inputHolder: null,
    cgroups: '',
    createdAtNs: 0n,
    startedAtNs: 0n,
    finishedAtNs: 0n,
    exitCode: 0,
    reason: '',
    message: '',
    oomKilled: false,
    logWriteErrors: 0,
    lostLogBytes: 0,
    stdinOpen: request.stdin,
  };
}

/** Replaces the record in the container's folder; see `writeRecord`. */
export function saveRecord(folder: string, record: ContainerRecord): void {
  const text = JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  writeRecord(join(folder, fileName), text);
}

/** Reads a record; null when there is none. Throws when there is one that cannot be read. */
export function loadRecord(folder: string): ContainerRecord | null {
  let text: string;
  try {
    text = readFileSync(join(folder, fileName), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  return JSON.parse(text, (key, value: unknown) =>
    timeFields.has(key) ? BigInt(value as string) : value,
  ) as ContainerRecord;
}
