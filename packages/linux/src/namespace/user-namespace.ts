import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { bindMount } from '../filesystem/mount.ts';
import { type IdMapping, writeIdMaps } from './id-map.ts';
import {
  enterNamespaces,
  type PinnableNamespace,
  type PinRequest,
  setHostname,
  unpinNamespace,
} from './namespace.ts';

/** A user namespace to make, and others that are to belong to it. */
export interface PinUserRequest extends PinRequest {
  /** Which ids of the machine its own ones are. */
  maps: { uids: IdMapping[]; gids: IdMapping[] };
}

const typeFlags: Record<PinnableNamespace, string> = { net: '--net', ipc: '--ipc', uts: '--uts' };

/**
 * As `pinNamespaces`, with a user namespace (pinned as "user") that owns the others: who is root in it may do there
 * what root may. A process of several threads can't enter a user namespace, so util-linux' `unshare` makes them, around
 * a `cat` that lives until they are pinned. `inside` runs with this process's own rights. On an error nothing stays behind.
 */
export async function pinUserNamespace(request: PinUserRequest): Promise<Record<string, string>> {
  const { types, directory, hostname, inside, maps } = request;
  const pins = Object.fromEntries(['user', ...types].map((type) => [type, join(directory, type)]));
  try {
    await withHolder(types, (pid) => {
      writeIdMaps(pid, maps);
      for (const [type, path] of Object.entries(pins)) {
        closeSync(openSync(path, 'w', 0o444));
        bindMount(`/proc/${pid}/ns/${type}`, path);
      }
    });
    const paths = types.map((type) => [type, join(directory, type)] as const);
    enterNamespaces(paths, () => {
      if (hostname !== undefined) setHostname(hostname);
      inside?.();
    });
  } catch (error) {
    for (const path of Object.values(pins)) unpinNamespace(path);
    throw error;
  }
  return pins;
}

/** Runs an action while a process is in new namespaces, and ends that. */
async function withHolder(types: readonly PinnableNamespace[], action: (pid: number) => void): Promise<void> {
  const words = ['--user', ...types.map((type) => typeFlags[type]), 'cat'];
  const child = spawn('unshare', words, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  try {
    await untilInside(child);
    action(child.pid as number);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** What goes in comes out again once `cat` runs, and that is after the namespaces were made. */
async function untilInside(child: ReturnType<typeof spawn>): Promise<void> {
  const complaints: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk));
  // A process that ended takes no more input; its own words say why.
  child.stdin?.on('error', () => {});
  child.stdin?.write('\n');
  const refused = once(child, 'close').then(() => {
    throw new Error(`unshare: ${Buffer.concat(complaints).toString().trim() || 'it ended'}`);
  });
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), refused]);
  refused.catch(() => {});
}
