import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { NamespaceMode, type PodSandboxConfig } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import { namespaceModes } from './sandbox-files.ts';

/** What containerd sets in every pod network: images bind port 80 and send pings without extra rights. */
const networkDefaults: Record<string, string> = {
  'net.ipv4.ip_unprivileged_port_start': '0',
  'net.ipv4.ping_group_range': '0 2147483647',
};

/** Sysctls of the IPC namespace beside those below fs.mqueue (ipc/ipc_sysctl.c). */
const ipcNames: ReadonlySet<string> = new Set(
  'sem shmall shmmax shmmni shm_rmid_forced msgmax msgmnb msgmni'.split(' ').map((name) => `kernel.${name}`),
);

/** The characters that sysctl names have; `..` and `+` have led past checks elsewhere (CVE-2022-0811). */
const namePattern = /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?([./][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/i;

const refuse = (name: string, why: string) => new RuntimeError('INVALID_ARGUMENT', `sysctl "${name}" ${why}`);

/**
 * The path parts of a sysctl: whichever of `.` and `/` comes first separates them, so that
 * `net/ipv4/conf/eth0.1/forwarding` and `net.ipv4.conf.eth0/1.forwarding` are the same (sysctl.d(5)).
 */
function partsOf(name: string): string[] {
  if (!namePattern.test(name)) throw refuse(name, 'is no name of a sysctl');
  const separator = /[./]/.exec(name)?.[0] ?? '.';
  const other = separator === '.' ? '/' : '.';
  return name.split(separator).map((part) => part.replaceAll(other, '.'));
}

/** Refuses a sysctl that is not the pod's own: of no namespace, or of one that the pod shares with the machine. */
function checkOwner(name: string, parts: readonly string[], config: PodSandboxConfig): void {
  const modes = namespaceModes(config);
  const dotted = parts.join('.');
  // A pod has a UTS namespace of its own where it has a network of its own.
  if (parts[0] === 'net' || dotted === 'kernel.domainname') {
    if (modes.network === NamespaceMode.NODE)
      throw refuse(name, "cannot be set: the pod uses the node's network");
  } else if (ipcNames.has(dotted) || dotted.startsWith('fs.mqueue.')) {
    if (modes.ipc === NamespaceMode.NODE)
      throw refuse(name, "cannot be set: the pod uses the node's IPC namespace");
  } else throw refuse(name, 'belongs to the whole machine and cannot be set for a pod');
}

/** A sysctl of a pod: its file and its value. */
export interface Sysctl {
  name: string;
  path: string;
  value: string;
}

/**
 * The sysctls of a sandbox: the request's, over the defaults of a network of its own. Throws `RuntimeError`
 * INVALID_ARGUMENT for one that would change anything but the pod.
 */
export function sandboxSysctls(config: PodSandboxConfig): Sysctl[] {
  const defaults = namespaceModes(config).network === NamespaceMode.NODE ? {} : networkDefaults;
  return Object.entries({ ...defaults, ...config.linux?.sysctls }).map(([name, value]) => {
    const parts = partsOf(name);
    checkOwner(name, parts, config);
    if (/[\n\0]/.test(value)) throw refuse(name, 'must have a value of one line');
    return { name, path: `/proc/sys/${parts.join('/')}`, value };
  });
}

/** Whether it is one that this process may set in the network or UTS namespace of a user namespace's. */
export const isOfNetwork = ({ path }: Sysctl): boolean =>
  path.startsWith('/proc/sys/net/') || path === '/proc/sys/kernel/domainname';

/**
 * Sets sysctls of an IPC namespace that a user namespace owns: its root alone may, whoever else is root (util-linux'
 * `nsenter` becomes it). Throws as {@link applySysctls}.
 */
export function applyOwnedSysctls(sysctls: readonly Sysctl[], pins: { user: string; ipc: string }): void {
  for (const { name, path, value } of sysctls) {
    const words = [`--user=${pins.user}`, `--ipc=${pins.ipc}`, '--setuid=0', '--setgid=0', 'tee', path];
    const { status, stderr, error } = spawnSync('nsenter', words, { input: value, encoding: 'utf8' });
    if (status === 0) continue;
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `sysctl ${name}=${value} cannot be set: ${error?.message ?? stderr.trim()}`,
    );
  }
}

/** Sets sysctls in the namespaces of this thread. Throws `RuntimeError` INVALID_ARGUMENT when the kernel refuses. */
export function applySysctls(sysctls: readonly Sysctl[]): void {
  for (const { name, path, value } of sysctls) {
    try {
      if (readFileSync(path, 'utf8').trim() !== value) writeFileSync(path, value);
    } catch (error) {
      throw new RuntimeError('INVALID_ARGUMENT', `sysctl ${name}=${value} cannot be set: ${String(error)}`, {
        cause: error,
      });
    }
  }
}
