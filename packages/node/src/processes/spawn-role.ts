import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { identifyProcess, type ProcessIdentity } from '@wherry/linux';
import { NodeError } from '../errors.ts';
import type { NodeLayout, Role } from '../layout/layout.ts';
import type { NodeRecord } from '../layout/record.ts';
import { proxyEnvironment } from '../layout/settings.ts';
import { cacheVariables } from './compile-cache.ts';
import { roleArguments } from './role-arguments.ts';

/** The entry of one process. */
const entry = fileURLToPath(new URL('../main.ts', import.meta.url));

/**
 * How V8 collects garbage, in MiB. The young generation grows to the first only under load. Read buffers lie outside
 * the heap: the second makes V8 collect the young after four times as many MiB of them, and the third leaves room for
 * them below the mark at which it collects the whole heap. Left to its defaults it does that every 10 to 50 MiB of a
 * stream, which can cost as much as the stream.
 */
const nodeFlags = [
  '--max-semi-space-size=16',
  '--scavenger-max-new-space-capacity-mb=4',
  '--initial-old-space-size=48',
];

/** The runtime alone reaches out; the others take what the environment says. */
function environmentOf(role: Role, { settings }: NodeRecord): NodeJS.ProcessEnv {
  return role === 'runtime' && settings?.proxy ? proxyEnvironment(settings.proxy) : process.env;
}

/**
 * Starts a process of the node in a session of its own, its output appended to `DIR/logs/ROLE.log`, so that it
 * outlives this command and its terminal.
 */
export function spawnRole(role: Role, layout: NodeLayout, record: NodeRecord): ProcessIdentity {
  const log = openSync(layout.logFile(role), 'a', 0o600);
  try {
    const child = spawn(process.execPath, [...nodeFlags, entry, ...roleArguments(role, layout, record)], {
      cwd: '/',
      detached: true,
      env: { ...environmentOf(role, record), ...cacheVariables() },
      stdio: ['ignore', log, log],
    });
    child.unref();
    const identity = child.pid === undefined ? null : identifyProcess(child.pid);
    if (!identity)
      throw new NodeError('process-ended', `starting ${role} failed; see "${layout.logFile(role)}"`);
    return identity;
  } finally {
    closeSync(log);
  }
}
