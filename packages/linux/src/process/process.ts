import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { hasCode, SyscallError } from '../errors.ts';
import { check, declare, lastErrno, syscall } from '../native.ts';

const prctl = declare('int prctl(int option, ulong a, ulong b, ulong c, ulong d)');
const waitpid = declare('int waitpid(int pid, _Out_ int *status, int options)');
const kill = declare('int kill(int pid, int signal)');
const ioctlBuffer = declare('int ioctl(int descriptor, ulong request, void *buffer)');

const setChildSubreaper = 36;
const withoutHanging = 1;
const pidfdSendSignalNumber = 424;
const pidfdOpenNumber = 434;

/** A process by id and start time (clock ticks since boot), so that a reused id is not taken for it. */
export interface ProcessIdentity {
  pid: number;
  startTicks: number;
}

/** Makes this process the new parent of descendants whose own parent ends (PR_SET_CHILD_SUBREAPER). */
export function becomeSubreaper(): void {
  check('prctl PR_SET_CHILD_SUBREAPER', prctl(setChildSubreaper, 1, 0, 0, 0));
}

/** Turns a wait status into a shell's exit code: the code itself, or 128 + signal. */
export function exitCodeOfStatus(status: number): number {
  const signal = status & 0x7f;
  return signal === 0 ? (status >> 8) & 0xff : 128 + signal;
}

/** What reaping one child brought. */
export type Reaped = { state: 'exited'; exitCode: number } | { state: 'running' } | { state: 'not-a-child' };

/** Reaps one child by its id, without waiting. Never used with -1, which would take libuv's own children. */
export function reap(pid: number): Reaped {
  if (pid <= 0) throw new RangeError(`reap: pid ${pid} is not one process`);
  const status = new Int32Array(1);
  const result = waitpid(pid, status, withoutHanging);
  if (result === pid) return { state: 'exited', exitCode: exitCodeOfStatus(status[0]!) };
  if (result === 0) return { state: 'running' };
  const errno = lastErrno();
  if (errno === constants.errno.ECHILD) return { state: 'not-a-child' };
  throw new SyscallError('waitpid', errno, String(pid));
}

/** A descriptor of a process (kernel 5.3), close-on-exec. It polls readable once the process ended. */
export function openPidDescriptor(pid: number): number {
  return syscall('pidfd_open', pidfdOpenNumber, pid, 0);
}

/** Sends a signal to exactly that process. False when it has ended already. */
export function signalProcess(pidDescriptor: number, signal: number): boolean {
  try {
    syscall('pidfd_send_signal', pidfdSendSignalNumber, pidDescriptor, signal, 0, 0);
    return true;
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
    throw error;
  }
}

/**
 * Sends a signal to the process of that id, or to the group of a negative one (kill(2)): for processes that are known by
 * nothing else. False when there is none. Throws EPERM, and RangeError for ids that stand for more than one process or group.
 */
export function signalById(id: number, signal: number): boolean {
  if (!Number.isInteger(id) || id === 0 || id === -1)
    throw new RangeError(`kill: ${id} is no process or group`);
  if (kill(id, signal) >= 0) return true;
  const errno = lastErrno();
  if (errno === constants.errno.ESRCH) return false;
  throw new SyscallError('kill', errno, String(id));
}

/** The fields of /proc/PID/stat behind the command name (state is the first), or null when there is no such process. */
function statFields(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return null;
    throw error;
  }
}

/** Names a process so that a later one with the same id can be told from it; null when there is none. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const fields = statFields(pid);
  return fields && { pid, startTicks: Number(fields[19]) };
}

/** The process group that a process is in; null when there is no such process. */
export function processGroupOf(pid: number): number | null {
  const fields = statFields(pid);
  return fields && Number(fields[2]);
}

/** Whether exactly this process is there and no zombie. */
export function isAlive(identity: ProcessIdentity): boolean {
  const fields = statFields(identity.pid);
  return (
    fields !== null && Number(fields[19]) === identity.startTicks && fields[0] !== 'Z' && fields[0] !== 'X'
  );
}

/** The exit code of a zombie that nobody has reaped yet (/proc/PID/stat, field 52; needs ptrace rights), else null. */
export function exitCodeOfZombie(identity: ProcessIdentity): number | null {
  const fields = statFields(identity.pid);
  if (fields?.[0] !== 'Z' || Number(fields[19]) !== identity.startTicks) return null;
  return exitCodeOfStatus(Number(fields[49]));
}

/** Names a process that has ended and that nobody has reaped; null for any other. */
export function zombieOf(pid: number): ProcessIdentity | null {
  const fields = statFields(pid);
  return fields?.[0] === 'Z' ? { pid, startTicks: Number(fields[19]) } : null;
}

/**
 * Whether a child of this process certainly began as another one's, and came here when that ended (PR_SET_CHILD_SUBREAPER): one's
 * own is in one's session, or leads one of its own, and lives in one's PID namespace.
 */
export function isAdopted(pid: number): boolean {
  const session = sessionOf(pid);
  if (session !== pid && session !== sessionOf(process.pid)) return true;
  return pidNamespacesOf(pid) > pidNamespacesOf(process.pid);
}

const sessionOf = (pid: number) => Number(statFields(pid)?.[3]);

/** How many PID namespaces a process has an id in, from that of /proc on inwards; 0 where the kernel does not tell. */
function pidNamespacesOf(pid: number): number {
  try {
    const ids = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return ids?.trim().split(/\s+/).length ?? 0;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return 0;
    throw error;
  }
}

const pidfdGetInfoRequest = 0xc040ff0b;
const pidfdInfoExit = 1 << 3;
const pidfdInfoBytes = 64;

/**
 * The exit code behind a pid descriptor opened before the end, child or not (PIDFD_GET_INFO with exit information,
 * kernel 6.15; told once the process was reaped by whoever its parent is). Null: not ended, not reaped, or an older kernel.
 */
export function exitCodeOfDescriptor(pidDescriptor: number): number | null {
  const info = Buffer.alloc(pidfdInfoBytes);
  info.writeBigUInt64LE(BigInt(pidfdInfoExit), 0);
  if (ioctlBuffer(pidDescriptor, pidfdGetInfoRequest, info) < 0) return null;
  const answered = (Number(info.readBigUInt64LE(0)) & pidfdInfoExit) !== 0;
  return answered ? exitCodeOfStatus(info.readInt32LE(60)) : null;
}
