import { accessSync, constants } from 'node:fs';
import { constants as os } from 'node:os';
import { join } from 'node:path';
import { closeDescriptor, duplicateAbove } from '../descriptor/descriptor.ts';
import { SyscallError } from '../errors.ts';
import { declare } from '../native.ts';

const posixSpawn = declare(
  'int posix_spawnp(_Out_ int *pid, const char *program, void *actions, void *attributes, const char **words, const char **environment)',
);
const initActions = declare('int posix_spawn_file_actions_init(void *actions)');
const destroyActions = declare('int posix_spawn_file_actions_destroy(void *actions)');
const addDuplicate = declare('int posix_spawn_file_actions_adddup2(void *actions, int from, int to)');
const addOpen = declare(
  'int posix_spawn_file_actions_addopen(void *actions, int descriptor, const char *path, int flags, uint mode)',
);
const initAttributes = declare('int posix_spawnattr_init(void *attributes)');
const setFlags = declare('int posix_spawnattr_setflags(void *attributes, short flags)');
const setDefaultSignals = declare('int posix_spawnattr_setsigdefault(void *attributes, const void *signals)');
const setSignalMask = declare('int posix_spawnattr_setsigmask(void *attributes, const void *signals)');

/** Room for glibc's and musl's structures (80 and 336 bytes at most). */
const structureBytes = 512;
const signalSetBytes = 128;
const defaultSignalsAndMask = 0x04 | 0x08;
const newSession = 0x80;
const readWrite = 2;

/** A program to start. */
export interface SpawnRequest {
  /** Looked up in this process's PATH unless it has a slash. */
  program: string;
  arguments: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** The program's descriptors 0, 1 and 2; "ignore" is /dev/null. */
  stdio: readonly [number | 'ignore', number | 'ignore', number | 'ignore'];
  /** Its descriptors 3, 4 and so on. No other descriptor is inherited. */
  more?: readonly number[];
  /** It leads a session, and so a process group, of its own. Default false. */
  ownSession?: boolean;
}

/**
 * Starts a program and gives back its process id (posix_spawn(3)). Unlike `child_process.spawn` it does not copy this
 * process's page tables, so that it takes a fraction of a millisecond at any memory size. The caller waits for the
 * process itself, by a pid descriptor and `reap`: libuv does not know it. Throws ENOENT for a program that is not there.
 */
export function spawnProgram(request: SpawnRequest): number {
  const actions = Buffer.alloc(structureBytes);
  const pid = new Int32Array(1);
  // Copied out of the way first: a descriptor may have a number that another one is to get.
  const lowest = request.stdio.length + (request.more?.length ?? 0);
  const copies = (request.more ?? []).map((descriptor) => duplicateAbove(descriptor, lowest));
  call('posix_spawn_file_actions_init', initActions(actions));
  try {
    for (const [target, descriptor] of request.stdio.entries()) addStdio(actions, target, descriptor);
    for (const [index, copy] of copies.entries()) addStdio(actions, request.stdio.length + index, copy);
    const environment = Object.entries(request.environment)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${value}`);
    const words = [request.program, ...request.arguments, null];
    const result = posixSpawn(pid, request.program, actions, attributesOf(request), words, [
      ...environment,
      null,
    ]);
    call('posix_spawnp', result, `"${request.program}"`);
    return pid[0]!;
  } finally {
    destroyActions(actions);
    for (const copy of copies) closeDescriptor(copy);
  }
}

function addStdio(actions: Buffer, target: number, descriptor: number | 'ignore'): void {
  if (descriptor === 'ignore') call('posix_spawn', addOpen(actions, target, '/dev/null', readWrite, 0));
  else call('posix_spawn', addDuplicate(actions, descriptor, target));
}

/** Node ignores SIGPIPE; a program must start with every signal at its default and none blocked. */
function attributesOf({ ownSession = false }: SpawnRequest): Buffer {
  const attributes = Buffer.alloc(structureBytes);
  call('posix_spawnattr_init', initAttributes(attributes));
  call(
    'posix_spawnattr_setflags',
    setFlags(attributes, defaultSignalsAndMask | (ownSession ? newSession : 0)),
  );
  call('posix_spawnattr_setsigdefault', setDefaultSignals(attributes, Buffer.alloc(signalSetBytes, 0xff)));
  call('posix_spawnattr_setsigmask', setSignalMask(attributes, Buffer.alloc(signalSetBytes)));
  return attributes;
}

/** These functions give back the error's number itself. */
function call(name: string, errno: number, detail?: string): void {
  if (errno !== 0) throw new SyscallError(name, errno, detail);
}

/** Where a program lies: its path as it is, or its name looked up in this process's PATH. Throws ENOENT. */
export function programPath(program: string): string {
  if (program.includes('/')) return program;
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  throw new SyscallError('exec', os.errno.ENOENT, `"${program}"`);
}
