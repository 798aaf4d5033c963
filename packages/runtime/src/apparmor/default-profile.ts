/** The name of the profile that containers have unless they ask for another. */
export const defaultProfileName = 'wherry-default';

/** What of AppArmor's files (`/etc/apparmor.d`) this machine has for profiles to include. */
export interface ProfileFiles {
  hasAbi: boolean;
  hasTunables: boolean;
  hasBase: boolean;
}

/**
 * The text of the default profile, for apparmor_parser(8): what containerd's and Docker's allow and deny (containerd,
 * contrib/apparmor/template.go). Everything but mounts, tracing of others, and writes to the parts of /proc and /sys that are
 * the machine's. `manager` is the profile of the processes that may send signals from outside, `unconfined` for none.
 */
export function defaultProfile({ hasAbi, hasTunables, hasBase }: ProfileFiles, manager: string): string {
  const own = `"${defaultProfileName}"`;
  const senders = new Set(['unconfined', 'runc', 'crun', manager]);
  const processFolder = '[^1-9/],[^1-9/][^0-9/],[^1-9s/][^0-9y/][^0-9s/],[^1-9/][^0-9/][^0-9/][^0-9/]*';
  const denied = [
    // Files directly in /proc, and folders that are neither a process' nor /proc/sys.
    '@{PROC}/* w',
    `@{PROC}/{${processFolder}}/** w`,
    // Of /proc/sys only /proc/sys/kernel/shm* may be written.
    '@{PROC}/sys/[^k]** w',
    '@{PROC}/sys/kernel/{?,??,[^s][^h][^m]**} w',
    '@{PROC}/sysrq-trigger rwklx',
    '@{PROC}/kcore rwklx',
    'mount',
    // Of /sys only /sys/fs/cgroup may be written.
    ...['[^f]*', 'f[^s]*', 'fs/[^c]*', 'fs/c[^g]*', 'fs/cg[^r]*'].map((path) => `/sys/${path}/** wklx`),
    '/sys/firmware/** rwklx',
    '/sys/devices/virtual/powercap/** rwklx',
    '/sys/kernel/security/** rwklx',
  ];
  const rules = [
    ...(hasBase ? ['include <abstractions/base>'] : []),
    ...['network,', 'capability,', 'file,', 'umount,'],
    ...[...senders].map((peer) => `signal (receive) peer="${peer}",`),
    `signal (send,receive) peer=${own},`,
    `ptrace (trace,tracedby,read,readby) peer=${own},`,
    ...denied.map((rule) => `deny ${rule},`),
  ];
  return [
    ...(hasAbi ? ['abi <abi/3.0>,'] : []),
    hasTunables ? 'include <tunables/global>' : '@{PROC}=/proc/',
    `profile ${own} flags=(attach_disconnected,mediate_deleted) {`,
    ...rules.map((rule) => `  ${rule}`),
    '}',
    '',
  ].join('\n');
}
