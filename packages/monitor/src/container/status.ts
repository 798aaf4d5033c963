import type { ContainerStatus } from '@wherry/monitor-api';
import type { ContainerRecord } from './record.ts';

/** A container's record as the wire tells it, with what its streams have counted since they were opened. */
export function statusOf(
  record: ContainerRecord,
  streams: { logWriteErrors: number; lostLogBytes: number } | null,
): ContainerStatus {
  const { request, phase, process, createdAtNs, startedAtNs, finishedAtNs } = record;
  const { exitCode, reason, message, oomKilled } = record;
  const isStarted = phase !== 'starting';
  const { id, sandboxId, bundle, terminal, stdin, stdinOnce, logPath } = request;
  return {
    ...{ id, sandboxId, bundle, terminal, stdin, stdinOnce, logPath },
    state: phase === 'creating' || !isStarted ? 'created' : phase,
    pid: process?.pid ?? 0,
    startTicks: process?.startTicks ?? 0,
    startedAtNs: isStarted ? startedAtNs : 0n,
    ...{ createdAtNs, finishedAtNs, exitCode, reason, message, oomKilled },
    logWriteErrors: record.logWriteErrors + (streams?.logWriteErrors ?? 0),
    lostLogBytes: record.lostLogBytes + (streams?.lostLogBytes ?? 0),
  };
}
