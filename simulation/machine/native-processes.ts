/** System calls of processes, over the simulated machine. */
import { constants } from 'node:fs';
import { constants as system } from 'node:os';
import { OpenFile } from './descriptors.ts';
import { failure } from './failure.ts';
import { changing, descriptorOf, existing } from './lookup.ts';
import { currentParticipant } from './participant.ts';
import { ProcessHandle, type SimProcess } from './process.ts';

const becomeSubreaper = 36;

type FileAction =
  | { kind: 'duplicate'; from: number; to: number }
  | { kind: 'open'; path: string; to: number };
const fileActions = new WeakMap<Buffer, FileAction[]>();

function target(pid: number, call: string): SimProcess {
  const found = currentParticipant().machine.processes.find(pid);
  if (!found) throw failure('ESRCH', call, String(pid));
  return found;
}

function handleAt(descriptor: number, call: string): SimProcess {
  const { node, path } = descriptorOf(descriptor, call);
  if (!(node instanceof ProcessHandle)) throw failure('EBADF', call, path);
  return node.of;
}

export const processCalls = {
  prctl(option: number) {
    if (option !== becomeSubreaper) throw new Error(`prctl ${option} is not simulated`);
    currentParticipant().process.isSubreaper = true;
    return 0;
  },
  waitpid(pid: number, status: Int32Array) {
    const child = currentParticipant().machine.processes.find(pid);
    if (!child || child.parent !== currentParticipant().process)
      throw failure('ECHILD', 'waitpid', String(pid));
    if (child.status === undefined) return 0;
    changing('waitpid', String(pid));
    status[0] = child.status;
    child.reap();
    return pid;
  },
  kill(pid: number, signal: number) {
    const process = target(pid, 'kill');
    changing(`kill -${signal}`, String(pid));
    process.signal(signal);
    return 0;
  },
  posix_spawn_file_actions_init(actions: Buffer) {
    fileActions.set(actions, []);
    return 0;
  },
  posix_spawn_file_actions_destroy: () => 0,
  posix_spawn_file_actions_adddup2(actions: Buffer, from: number, to: number) {
    fileActions.get(actions)?.push({ kind: 'duplicate', from, to });
    return 0;
  },
  posix_spawn_file_actions_addopen(actions: Buffer, to: number, path: string) {
    fileActions.get(actions)?.push({ kind: 'open', path, to });
    return 0;
  },
  posix_spawnattr_init: () => 0,
  posix_spawnattr_setflags: () => 0,
  posix_spawnattr_setsigdefault: () => 0,
  posix_spawnattr_setsigmask: () => 0,
  /** As all of these it gives back the error's number. */
  posix_spawnp(
    pid: Int32Array,
    program: string,
    actions: Buffer,
    _attributes: Buffer,
    list: (string | null)[],
  ) {
    const words = list.filter((word) => word !== null);
    const { machine, process } = changing('posix_spawn', program);
    const behaviour = machine.processes.programs.get(program);
    if (!behaviour || !machine.tree.at(program)) return system.errno.ENOENT;
    const started = machine.processes.begin({ parent: process, executable: program, words });
    for (const action of fileActions.get(actions) ?? []) {
      const file =
        action.kind === 'open'
          ? new OpenFile({ ...existing(action.path, { call: 'open' }), flags: constants.O_RDWR })
          : descriptorOf(action.from, 'dup2');
      started.descriptors.add(file, action.to);
    }
    behaviour(started, words);
    pid[0] = started.pid;
    return 0;
  },
};

/** Those that the C library may not wrap. */
export const numberedCalls: Readonly<Record<string, (...args: number[]) => number>> = {
  pidfd_open(pid = 0) {
    const open = { node: new ProcessHandle(target(pid, 'pidfd_open')), path: `process ${pid}` };
    return currentParticipant().descriptors.add(new OpenFile({ ...open, flags: constants.O_RDWR }));
  },
  pidfd_send_signal(descriptor = -1, signal = 0) {
    const process = handleAt(descriptor, 'pidfd_send_signal');
    if (process.hasEnded) throw failure('ESRCH', 'pidfd_send_signal', String(process.pid));
    changing(`signal ${signal} to`, process.executable);
    process.signal(signal);
    return 0;
  },
  pidfd_getfd(descriptor = -1, wanted = -1) {
    const process = handleAt(descriptor, 'pidfd_getfd');
    const file = process.descriptors.get(wanted);
    if (process.hasEnded) throw failure('ESRCH', 'pidfd_getfd', String(process.pid));
    if (!file) throw failure('EBADF', 'pidfd_getfd', `descriptor ${wanted}`);
    return currentParticipant().descriptors.add(file);
  },
};
