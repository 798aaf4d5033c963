import { readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { ProfileType, type SecurityProfile } from '@wherry/cri';
import { runsX32 } from '@wherry/linux';
import { messageOf, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { OciSeccomp, OciSeccompRule } from './oci-spec.ts';
import { commonSyscalls, syscallsByArchitecture, syscallsByCapability } from './seccomp-names.ts';

const allow = 'SCMP_ACT_ALLOW';
const refuse = 'SCMP_ACT_ERRNO';

/**
 * Socket families: all below AF_ALG (38), which opens the kernel's cryptography, then AF_NFC and those from AF_KCM to
 * AF_MCTP, the last there is. AF_VSOCK (40) reaches virtual machines past every network namespace. Each comparison is a
 * rule of its own, since runc makes several conditions on one argument alternatives of each other.
 */
const socketFamiliesBelow = 38;
const socketFamilies = [39, 41, 42, 43, 44, 45];

/** Execution domains that programs ask for: Linux, 32-bit addresses, UNAME26, both, and "what have I?". */
const personalities = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff];

/** All CLONE_NEW* flags of sched.h: a clone without CAP_SYS_ADMIN must set none. */
const namespaceFlags =
  0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;

/**
 * Kinds of system calls that containers may make. x32's are named only where the kernel knows them: each kind costs a start
 * milliseconds, in which the filter's rules for it are put together.
 */
function architectures(): string[] {
  if (process.arch === 'arm64') return ['SCMP_ARCH_ARM', 'SCMP_ARCH_AARCH64'];
  if (process.arch !== 'x64') return [];
  return ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', ...(runsX32() ? ['SCMP_ARCH_X32'] : [])];
}

/** The profile of `RuntimeDefault` for a process with these capabilities (its bounding set). */
export function defaultSeccomp(capabilities: readonly string[]): OciSeccomp {
  const isAdmin = capabilities.includes('CAP_SYS_ADMIN');
  const unlocked = capabilities.flatMap((capability) => syscallsByCapability.get(capability) ?? []);
  const names = [...commonSyscalls, ...(syscallsByArchitecture[process.arch] ?? []), ...unlocked, 'ptrace'];
  const syscalls: OciSeccompRule[] = [
    { names: [...new Set([...names, 'process_vm_readv', 'process_vm_writev'])], action: allow },
    allowWhen('socket', 'SCMP_CMP_LT', socketFamiliesBelow),
    ...socketFamilies.map((family) => allowWhen('socket', 'SCMP_CMP_EQ', family)),
    ...personalities.map((domain) => allowWhen('personality', 'SCMP_CMP_EQ', domain)),
  ];
  if (!isAdmin) syscalls.push(...cloneRules());
  return { defaultAction: refuse, architectures: architectures(), syscalls };
}

/** A call that may be made when its first argument compares so. */
const allowWhen = (name: string, op: string, value: number): OciSeccompRule => ({
  names: [name],
  action: allow,
  args: [{ index: 0, value, op }],
});

/** clone3 hides its flags in memory, so it says ENOSYS and C libraries fall back to clone. */
function cloneRules(): OciSeccompRule[] {
  const noNamespaces = { index: 0, value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' };
  return [
    { names: ['clone'], action: allow, args: [noNamespaces] },
    { names: ['clone3'], action: refuse, errnoRet: constants.errno.ENOSYS },
  ];
}

/** A profile file of this machine. Throws `RuntimeError` INVALID_ARGUMENT. */
function localProfile(path: string): OciSeccomp {
  const refuse = (why: string, cause?: unknown) =>
    new RuntimeError('INVALID_ARGUMENT', `seccomp profile "${path}" ${why}`, { cause });
  if (!path.startsWith('/')) throw refuse('must be an absolute path');
  const text = readProfile(path, refuse);
  let profile: unknown;
  try {
    profile = JSON.parse(text);
  } catch (error) {
    throw refuse(`is no JSON: ${messageOf(error)}`, error);
  }
  if (!isProfile(profile)) throw refuse('is no profile: it needs a defaultAction, and syscalls in a list');
  return profile;
}

function readProfile(path: string, refuse: (why: string, cause?: unknown) => RuntimeError): string {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) throw refuse('is not there');
  // A pipe or a device would hold up every other request.
  if (!status.isFile()) throw refuse('is no regular file');
  if (status.size > limits.seccompProfileBytesMax) throw refuse('is too large');
  return readFileSync(path, 'utf8');
}

/** The OCI runtime checks the rest, and names what it does not know. */
function isProfile(value: unknown): value is OciSeccomp {
  if (typeof value !== 'object' || value === null) return false;
  const { defaultAction, syscalls = [] } = value as Record<string, unknown>;
  return typeof defaultAction === 'string' && Array.isArray(syscalls);
}

/** The old way to name a profile, as a text. */
function fromText(text: string): SecurityProfile | undefined {
  if (text === '' || text === 'unconfined') return undefined;
  if (text === 'runtime/default' || text === 'docker/default') {
    return { profileType: ProfileType.RuntimeDefault, localhostRef: '' };
  }
  if (text.startsWith('localhost/')) {
    return { profileType: ProfileType.Localhost, localhostRef: text.slice('localhost/'.length) };
  }
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `seccomp profile "${text}" is none of unconfined, runtime/default, localhost/PATH`,
  );
}

/** What a security context asks for: nothing when unset or unconfined, and never for privileged containers. */
export function seccompOf(
  context: { seccomp?: SecurityProfile | undefined; seccompProfilePath: string; privileged: boolean },
  capabilities: readonly string[],
): OciSeccomp | undefined {
  const profile = context.seccomp ?? fromText(context.seccompProfilePath);
  if (context.privileged || !profile || profile.profileType === ProfileType.Unconfined) return undefined;
  return profile.profileType === ProfileType.Localhost
    ? localProfile(profile.localhostRef)
    : defaultSeccomp(capabilities);
}
