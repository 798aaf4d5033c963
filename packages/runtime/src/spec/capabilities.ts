import type { Capability } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';

/** Every capability by its bit, from linux/capability.h. */
const names = `CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE
  NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE
  SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL
  SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE`
  .split(/\s+/)
  .map((name) => `CAP_${name}`);

/** What a container has unless it says otherwise: the set of docker and containerd. */
const defaults =
  `CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE
  SYS_CHROOT KILL AUDIT_WRITE`
    .split(/\s+/)
    .map((name) => `CAP_${name}`);

/** The capabilities in a mask, such as `CapBnd` of /proc/PID/status. */
export const capabilitiesOf = (mask: bigint): string[] =>
  names.filter((_, bit) => ((mask >> BigInt(bit)) & 1n) === 1n);

function qualified(name: string): string {
  const upper = name.toUpperCase();
  const full = upper.startsWith('CAP_') ? upper : `CAP_${upper}`;
  if (!names.includes(full))
    throw new RuntimeError('INVALID_ARGUMENT', `capability "${name}" does not exist`);
  return full;
}

const isAll = (name: string) => /^(CAP_)?ALL$/i.test(name);

/**
 * The capabilities of a container: "ALL" is added, then dropped, then single ones are added, then dropped.
 * Only those that this machine has (`available`) can be given.
 */
export function containerCapabilities(
  request: Capability | undefined,
  options: { privileged: boolean; available: readonly string[] },
): string[] {
  const { available } = options;
  if (options.privileged) return [...available];
  const add = request?.addCapabilities ?? [];
  const drop = request?.dropCapabilities ?? [];
  let chosen = new Set(add.some(isAll) ? available : defaults);
  if (drop.some(isAll)) chosen = new Set();
  for (const name of add.filter((name) => !isAll(name))) chosen.add(qualified(name));
  for (const name of drop.filter((name) => !isAll(name))) chosen.delete(qualified(name));
  return names.filter((name) => chosen.has(name) && available.includes(name));
}
