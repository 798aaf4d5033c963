import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { identifyProcess, type ProcessIdentity } from '@wherry/linux';
import { NodeError } from '../errors.ts';
import type { NodeLayout, Role } from '../layout/layout.ts';
import { logFileVariable } from '../layout/log-file.ts';
import type { NodeRecord } from '../layout/record.ts';
import { proxyEnvironment } from '../layout/settings.ts';
import { roleArguments } from './role-arguments.ts';

/** The last whose V8 has the flag for how many MiB of buffers are read between two looks at what is young. */
const lastNodeWithCapacity = 24;

/**
 * How V8 collects garbage, in MiB. The young generation grows to the first only under load. Read buffers lie outside
 * the heap: the second leaves room for them below the mark at which V8 collects the whole heap, and the third, where there
 * is one, makes it collect the young after four times as many MiB of them. Left to its defaults it does that every 10 to
 * 50 MiB of a stream, which can cost as much as the stream.
 */
const nodeFlags = [
  ...['--max-semi-space-size=16', '--initial-old-space-size=48'],
  ...(Number.parseInt(process.versions.node, 10) > lastNodeWithCapacity
    ? []
    : ['--scavenger-max-new-space-capacity-mb=4']),
];

/** Loaded first into a process and its threads: keeps out what Node would load for nothing. */
const lean = fileURLToPath(new URL('../../bin/lean.cjs', import.meta.url));

/**
 * The runtime alone reaches out; the others take what the environment says. Without Node's compile cache: a process
 * would keep in memory all that it reads from there (1 to 6 MiB), to save a tenth of the time that loading takes. And
 * with one heap of the C library for all threads: each of the dozen would have its own, half empty (2 MiB together).
 */
function environmentOf(role: Role, { settings }: NodeRecord): NodeJS.ProcessEnv {
  const outer = role === 'runtime' && settings?.proxy ? proxyEnvironment(settings.proxy) : process.env;
  const { NODE_COMPILE_CACHE: _, ...kept } = outer;
  return { ...kept, MALLOC_ARENA_MAX: '1' };
}

/**
 * Starts a process of the node in a session of its own, its output appended to `DIR/logs/ROLE.log`, so that it
 * outlives this command and its terminal. `program`: what `roleProgram` gives.
 */
export function spawnRole(
  role: Role,
  layout: NodeLayout,
  record: NodeRecord,
  program: string,
): ProcessIdentity {
  const logFile = layout.logFile(role);
  const log = openSync(logFile, 'a', 0o600);
  try {
    const words = [...nodeFlags, '--require', lean, program, ...roleArguments(role, layout, record)];
    const child = spawn(process.execPath, words, {
      cwd: '/',
      detached: true,
      env: { ...environmentOf(role, record), [logFileVariable]: logFile },
      stdio: ['ignore', log, log],
    });
    child.unref();
    const identity = child.pid === undefined ? null : identifyProcess(child.pid);
    if (!identity) throw new NodeError('process-ended', `starting ${role} failed; see "${logFile}"`);
    return identity;
  } finally {
    closeSync(log);
  }
}
