import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CgroupLayout, detectCgroups } from './cgroup/layout.ts';
import { mount, unmount } from './filesystem/mount.ts';

/** One answer of {@link probeMachine}: what is there, what is lost without it, and how to get it. */
export interface ProbeResult {
  name: string;
  available: boolean;
  detail: string;
  /** Empty when available. */
  lost: string;
  remedy: string;
}

/** Bit numbers of capabilities(7). */
const capabilityBits = {
  CAP_NET_ADMIN: 12,
  CAP_SYS_PTRACE: 19,
  CAP_SYS_ADMIN: 21,
  CAP_SYS_RESOURCE: 24,
} as const;

/** Whether this process holds a capability (its effective set). */
export function hasCapability(name: keyof typeof capabilityBits): boolean {
  const line = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'latin1'));
  return ((BigInt(`0x${line?.[1] ?? '0'}`) >> BigInt(capabilityBits[name])) & 1n) === 1n;
}

/** Whether the kernel confines processes by AppArmor's profiles, if they have some. */
export function isAppArmorOn(): boolean {
  try {
    return readFileSync('/sys/module/apparmor/parameters/enabled', 'latin1').startsWith('Y');
  } catch {
    return false;
  }
}

/** Whether overlayfs mounts here, tried on a folder under the system's temporary one. */
function canMountOverlay(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-probe-'));
  try {
    mount({ type: 'tmpfs', source: 'tmpfs', target: folder });
    spawnSync('mkdir', ['lower', 'upper', 'work', 'merged'], { cwd: folder });
    const data = `lowerdir=${folder}/lower,upperdir=${folder}/upper,workdir=${folder}/work`;
    mount({ type: 'overlay', source: 'overlay', target: join(folder, 'merged'), data });
    unmount(join(folder, 'merged'));
    return true;
  } catch {
    return false;
  } finally {
    if (hasCapability('CAP_SYS_ADMIN')) unmount(folder, { detach: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Whether this process's root is another than that of its mount namespace, as chroot(2) makes it. Who joins the namespace
 * (setns(2), as `runc exec` does) is outside of it. False where there is no nsenter to look with.
 */
export function isInChroot(): boolean {
  const words = ['--mount=/proc/self/ns/mnt', 'stat', '-c', '%d:%i', '/'];
  const { status, stdout } = spawnSync('nsenter', words, { encoding: 'utf8', timeout: 5000 });
  const { dev, ino } = statSync('/', { bigint: true });
  return status === 0 && stdout.trim() !== `${dev}:${ino}`;
}

/** The first line of a program's `--version`, or null when it is not there or does not run. */
export function programVersion(program: string, argument = '--version'): string | null {
  const { status, stdout } = spawnSync(program, [argument], { encoding: 'utf8', timeout: 5000 });
  return status === 0 ? (stdout.split('\n')[0] ?? '').trim() : null;
}

function result(
  name: string,
  available: boolean,
  detail: string,
  missing: { lost: string; remedy: string },
): ProbeResult {
  return {
    name,
    available,
    detail,
    lost: available ? '' : missing.lost,
    remedy: available ? '' : missing.remedy,
  };
}

const chrootRemedy = 'make the folder a root of its own: systemd-nspawn, or unshare --mount and pivot_root';
/** What whoever wants a node is told where {@link isInChroot}. */
export const chrootRefusal = `this is a chroot, and what is executed in a pod would leave it for the machine's own files; ${chrootRemedy}`;

const rightsRemedy = 'run it on the machine itself, or in a container that is started with --privileged';

/**
 * What root lacks for a node, in a container that has not got all of root's rights: capabilities, or control groups that it
 * may write. Undefined where nothing is missing.
 */
export function rightsRefusal(): string | undefined {
  const missing = (['CAP_SYS_ADMIN', 'CAP_NET_ADMIN'] as const).filter((name) => !hasCapability(name));
  if (missing.length > 0)
    return `a node needs ${missing.join(' and ')}, which root has not got here; ${rightsRemedy}`;
  const [fixed] = unwritableGroups(detectCgroups());
  return fixed && `a node makes control groups, and ${fixed} is mounted read-only; ${rightsRemedy}`;
}

/** Mount points of control groups where none can be made. */
function unwritableGroups({ controllers, unified }: CgroupLayout): string[] {
  return [...new Set([...controllers.values(), unified ?? []].flat())].filter((path) => !isWritable(path));
}

/** Root may write whatever is not mounted read-only. */
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** What this machine offers to a container runtime, for people to read. Changes nothing. */
export function probeMachine(): ProbeResult[] {
  const asRoot = process.geteuid?.() === 0;
  const cgroups = detectCgroups();
  const fixedGroups = asRoot ? unwritableGroups(cgroups) : [];
  const crun = programVersion('crun');
  const runc = programVersion('runc');
  const appArmorParser = programVersion('apparmor_parser');
  const inChroot = asRoot && isInChroot();
  const controllers =
    cgroups.version === 'v2'
      ? readFileSync(join(cgroups.unified ?? '/sys/fs/cgroup', 'cgroup.controllers'), 'utf8').trim()
      : [...cgroups.controllers.keys()].join(' ');
  return [
    result('root', asRoot, `uid ${process.geteuid?.()}`, {
      lost: 'containers cannot be made',
      remedy: 'run as root',
    }),
    result('cgroups', fixedGroups.length === 0, `${cgroups.version}: ${controllers}`, {
      lost: `containers cannot be made: ${fixedGroups.join(', ')} cannot be written`,
      remedy: rightsRemedy,
    }),
    result('root file system', !inChroot, inChroot ? 'of a chroot' : "the mount namespace's own", {
      lost: "what is executed in a pod would run in the machine's own files",
      remedy: chrootRemedy,
    }),
    result('crun', crun !== null, crun ?? 'not found', {
      lost: runc === null ? 'one of crun and runc must be there' : 'speed alone: runc does its work',
      remedy: 'install crun',
    }),
    result('runc', runc !== null, runc ?? 'not found', {
      lost: crun === null ? 'one of crun and runc must be there' : 'nothing, as long as crun works here',
      remedy: 'install runc',
    }),
    result('overlayfs', asRoot && canMountOverlay(), 'tried under the temporary folder', {
      lost: 'image layers cannot be stacked',
      remedy: 'load the overlay kernel module',
    }),
    result('nftables', programVersion('nft') !== null, programVersion('nft') ?? 'not found', {
      lost: 'pods do not reach other networks, host ports do not work',
      remedy: 'install nftables',
    }),
    result(
      'AppArmor',
      !isAppArmorOn() || appArmorParser !== null,
      isAppArmorOn() ? `on, ${appArmorParser ?? 'no apparmor_parser'}` : 'off in this kernel',
      { lost: 'containers run without a default profile', remedy: 'install apparmor' },
    ),
    result('CAP_SYS_ADMIN', hasCapability('CAP_SYS_ADMIN'), 'effective set', {
      lost: 'containers cannot be made: no namespaces, no mounts',
      remedy: rightsRemedy,
    }),
    result('CAP_NET_ADMIN', hasCapability('CAP_NET_ADMIN'), 'effective set', {
      lost: 'pods get no network',
      remedy: rightsRemedy,
    }),
    result('CAP_SYS_RESOURCE', hasCapability('CAP_SYS_RESOURCE'), 'effective set', {
      lost: "oom_score_adj cannot be lowered: the kernel may choose the node's own processes first",
      remedy: 'give the capability to the process, or run on the host itself',
    }),
    result('CAP_SYS_PTRACE', hasCapability('CAP_SYS_PTRACE'), 'effective set', {
      lost: "terminals of containers do not outlive the monitor's death",
      remedy: 'give the capability to the process',
    }),
  ];
}

/**
 * crun where it works (it starts a container in a third of the time), else runc: crun refuses hosts that mount both cgroup
 * versions. Undefined where neither is there.
 */
export function usualOciRuntime(): string | undefined {
  const candidates = detectCgroups().version === 'hybrid' ? ['runc'] : ['crun', 'runc'];
  return candidates.find((program) => programVersion(program) !== null);
}
