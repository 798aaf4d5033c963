import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bindMount, unmount } from '../filesystem/mount.ts';
import { check, declare } from '../native.ts';

const nativeSetns = declare('int setns(int descriptor, int type)');
const nativeUnshare = declare('int unshare(int flags)');
const sethostname = declare('int sethostname(const char *name, ulong length)');

const cloneFlags = { net: 0x40000000, ipc: 0x08000000, uts: 0x04000000 } as const;

/** The kinds of namespaces that a multi-threaded process can make and pin. */
export type PinnableNamespace = keyof typeof cloneFlags;

/** Runs `leave` and, when that fails, ends the process: nothing may go on in a foreign namespace. */
function returnHome(leave: () => void): void {
  try {
    leave();
  } catch (error) {
    process.stderr.write(`could not return to the host's namespaces: ${String(error)}\n`);
    process.abort();
  }
}

function inNamespaces<T>(types: readonly PinnableNamespace[], enter: () => void, action: () => T): T {
  const home = types.map((type) => openSync(`/proc/thread-self/ns/${type}`, 'r'));
  try {
    enter();
    return action();
  } finally {
    returnHome(() => {
      for (const [index, descriptor] of home.entries()) {
        check(
          'setns',
          nativeSetns(descriptor, cloneFlags[types[index]!]),
          `back to the host's ${types[index]}`,
        );
        closeSync(descriptor);
      }
    });
  }
}

/**
 * Runs `action` with this thread inside the network namespace at `path` (a pin, or /proc/PID/ns/net), then comes back.
 * `action` must be synchronous: sockets and sysctl files opened in it belong to that namespace, also later.
 */
export function withNetworkNamespace<T>(
  path: string,
  action: () => T extends PromiseLike<unknown> ? never : T,
): T {
  const target = openSync(path, 'r');
  try {
    const enter = () => void check('setns', nativeSetns(target, cloneFlags.net), `"${path}"`);
    return inNamespaces(['net'], enter, action);
  } finally {
    closeSync(target);
  }
}

/** Runs a synchronous action with this thread inside several pinned namespaces, then comes back. */
export function enterNamespaces(
  pins: readonly (readonly [PinnableNamespace, string])[],
  action: () => void,
): void {
  const targets = pins.map(([type, path]) => [type, path, openSync(path, 'r')] as const);
  try {
    const enter = () => {
      for (const [type, path, target] of targets)
        check('setns', nativeSetns(target, cloneFlags[type]), `"${path}"`);
    };
    inNamespaces(
      pins.map(([type]) => type),
      enter,
      action,
    );
  } finally {
    for (const [, , target] of targets) closeSync(target);
  }
}

/** What to make and where to pin it. */
export interface PinRequest {
  types: readonly PinnableNamespace[];
  /** Folder for the pins, one file per type ("net", "ipc", "uts"); must exist. */
  directory: string;
  /** The host name inside, with `uts`. */
  hostname?: string;
  /** Runs synchronously inside the new namespaces (sysctls, links) before they are given back. */
  inside?: () => void;
}

/**
 * Makes new namespaces and keeps them alive by bind mounts, with no process inside. Gives back the pins' paths.
 * On an error nothing stays behind.
 */
export function pinNamespaces({ types, directory, hostname, inside }: PinRequest): Record<string, string> {
  const pins = Object.fromEntries(types.map((type) => [type, join(directory, type)]));
  const flags = types.reduce((sum, type) => sum | cloneFlags[type], 0);
  const enter = () => void check('unshare', nativeUnshare(flags), types.join(', '));
  try {
    inNamespaces(types, enter, () => {
      for (const [type, path] of Object.entries(pins)) {
        closeSync(openSync(path, 'w', 0o444));
        bindMount(`/proc/thread-self/ns/${type}`, path);
      }
      if (hostname !== undefined) setHostname(hostname);
      inside?.();
    });
  } catch (error) {
    for (const path of Object.values(pins)) unpinNamespace(path);
    throw error;
  }
  return pins;
}

/** Takes a pin away; the namespace goes when no process uses it. A missing pin is fine. */
export function unpinNamespace(path: string): void {
  unmount(path, { detach: true });
  rmSync(path, { force: true });
}

/** Sets the host name of this thread's UTS namespace. */
export function setHostname(name: string): void {
  check('sethostname', sethostname(name, Buffer.byteLength(name)), `"${name}"`);
}
