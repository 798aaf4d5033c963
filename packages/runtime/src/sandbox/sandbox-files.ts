import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type DNSConfig, NamespaceMode, type PodSandboxConfig } from '@wherry/cri';
import { mount, mountFlags } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type PodUsers, podUsers } from './pod-users.ts';

/** Files of a sandbox that its containers mount. */
export const sandboxFiles = {
  resolvConf: 'resolv.conf',
  hostname: 'hostname',
  hosts: 'hosts',
  sharedMemory: 'shm',
  namespaces: 'ns',
} as const;

/** The host name that a sandbox shows: its own, or the machine's. */
export const sandboxHostname = (config: PodSandboxConfig): string => config.hostname || hostname();

/** Throws `RuntimeError` INVALID_ARGUMENT for a name of its own where the pod shares the machine's, with its network. */
export function checkHostname(config: PodSandboxConfig): void {
  const { network } = namespaceModes(config);
  if (network !== NamespaceMode.NODE || sandboxHostname(config) === hostname()) return;
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `config.hostname: "${config.hostname}": a pod on the machine's network has the machine's name; leave it out`,
  );
}

/** resolv.conf(5): the machine's own without a configuration, and exactly what is asked with one. */
export function resolvConf(dns: DNSConfig | undefined): string {
  if (!dns) return readIfThere('/etc/resolv.conf');
  const lines = [
    ...(dns.searches.length > 0 ? [`search ${dns.searches.join(' ')}`] : []),
    ...dns.servers.map((server) => `nameserver ${server}`),
    ...(dns.options.length > 0 ? [`options ${dns.options.join(' ')}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * How the pod's processes see the machine. Without any options, processes are not shared: that spares the pod a
 * holder, and is what every kubelet asks for unless told otherwise.
 */
export function namespaceModes(config: PodSandboxConfig): {
  network: NamespaceMode;
  pid: NamespaceMode;
  ipc: NamespaceMode;
} {
  const options = config.linux?.securityContext?.namespaceOptions;
  return {
    network: options?.network ?? NamespaceMode.POD,
    pid: options?.pid ?? NamespaceMode.CONTAINER,
    ipc: options?.ipc ?? NamespaceMode.POD,
  };
}

/** Writes the files of a new sandbox and mounts its shared memory, unless it uses the machine's. */
export function makeSandboxFiles(folder: string, config: PodSandboxConfig): void {
  writeFileSync(join(folder, sandboxFiles.resolvConf), resolvConf(config.dnsConfig), { mode: 0o644 });
  writeFileSync(join(folder, sandboxFiles.hostname), `${sandboxHostname(config)}\n`, { mode: 0o644 });
  writeFileSync(join(folder, sandboxFiles.hosts), readIfThere('/etc/hosts'), { mode: 0o644 });
  mkdirSync(join(folder, sandboxFiles.namespaces), { mode: 0o700 });
  const users = podUsers(config);
  const { resolvConf: resolver, hostname: name, hosts } = sandboxFiles;
  for (const file of [resolver, name, hosts]) own(join(folder, file), users);
  if (namespaceModes(config).ipc === NamespaceMode.NODE) return;
  const target = join(folder, sandboxFiles.sharedMemory);
  mkdirSync(target, { mode: 0o1777 });
  mount({
    source: 'shm',
    target,
    type: 'tmpfs',
    flags: mountFlags.noExec | mountFlags.noSuid | mountFlags.noDevices,
    data: `mode=1777,size=${limits.sharedMemoryBytes}`,
  });
  own(target, users);
}

/** Gives a file to the root of a pod that has users of its own. */
function own(path: string, users: PodUsers | null): void {
  if (users) chownSync(path, users.uids.hostId, users.gids.hostId);
}
