import { readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { ProfileType, type SecurityProfile } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { OciSeccomp, OciSeccompRule } from './oci-spec.ts';
import { commonSyscalls, syscallsByArchitecture, syscallsByCapability } from './seccomp-names.ts';

const allow = 'SCMP_ACT_ALLOW';
const refuse = 'SCMP_ACT_ERRNO';
const vsockFamily = 40;

/** Execution domains that programs ask for: Linux, 32-bit addresses, UNAME26, both, and "what have I?". */
const personalities = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff];

/** All CLONE_NEW* flags of sched.h: a clone without CAP_SYS_ADMIN must set none. */
const namespaceFlags =
  0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;

const architectures: Record<string, string[]> = {
  x64: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32'],
  arm64: ['SCMP_ARCH_ARM', 'SCMP_ARCH_AARCH64'],
};

/** The profile of `RuntimeDefault` for a process with these capabilities (its bounding set). */
export function defaultSeccomp(capabilities: readonly string[]): OciSeccomp {
  const isAdmin = capabilities.includes('CAP_SYS_ADMIN');
  const unlocked = capabilities.flatMap((capability) => syscallsByCapability[capability] ?? []);
  const names = [...commonSyscalls, ...(syscallsByArchitecture[process.arch] ?? []), ...unlocked, 'ptrace'];
  const syscalls: OciSeccompRule[] = [
    { names: [...new Set([...names, 'process_vm_readv', 'process_vm_writev'])], action: allow },
    { names: ['socket'], action: allow, args: [{ index: 0, value: vsockFamily, op: 'SCMP_CMP_NE' }] },
    ...personalities.map((value) => ({
      names: ['personality'],
      action: allow,
      args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }],
    })),
  ];
  if (!isAdmin) syscalls.push(...cloneRules());
  return { defaultAction: refuse, architectures: architectures[process.arch] ?? [], syscalls };
}

/** clone3 hides its flags in memory, so it says ENOSYS and C libraries fall back to clone. */
function cloneRules(): OciSeccompRule[] {
  const noNamespaces = { index: 0, value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' };
  return [
    { names: ['clone'], action: allow, args: [noNamespaces] },
    { names: ['clone3'], action: refuse, errnoRet: constants.errno.ENOSYS },
  ];
}

/** A profile file of this machine. Throws `RuntimeError` INVALID_ARGUMENT or notFound. */
function localProfile(path: string): OciSeccomp {
  if (!path.startsWith('/'))
    throw new RuntimeError('INVALID_ARGUMENT', `seccomp profile "${path}" must be an absolute path`);
  try {
    if (statSync(path).size > limits.seccompProfileBytesMax) {
      throw new RuntimeError('INVALID_ARGUMENT', `seccomp profile "${path}" is too large`);
    }
    return JSON.parse(readFileSync(path, 'utf8')) as OciSeccomp;
  } catch (error) {
    if (error instanceof RuntimeError) throw error;
    throw new RuntimeError('INVALID_ARGUMENT', `seccomp profile "${path}" cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
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
