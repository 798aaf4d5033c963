import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CgroupVersion, detectCgroups } from '@wherry/linux';
import type { KubeletConfiguration } from '../configuration/configuration.ts';
import { ConfigurationError } from '../configuration/configuration-error.ts';

/** What the machine is asked for before a kubelet starts on it. */
export interface MachineTraits {
  hasSwap: boolean;
  /** Undefined where there are none. */
  cgroupVersion: CgroupVersion | undefined;
  /** Control groups can be held to an amount of swap. */
  limitsSwap: boolean;
}

/** Asks the kernel. */
export async function readMachineTraits(): Promise<MachineTraits> {
  const swaps = await readFile('/proc/swaps', 'utf8').catch(() => '');
  const version = cgroupVersion();
  const limitsSwap = await access(await swapFile(version)).then(
    () => true,
    () => false,
  );
  return { hasSwap: swaps.trim().split('\n').length > 1, cgroupVersion: version, limitsSwap };
}

/** The root of cgroup v2 has no such file; this process's own group does (kuberuntime_container_linux.go). */
async function swapFile(version: CgroupVersion | undefined): Promise<string> {
  if (version !== 'v2') return '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes';
  const own = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  return join('/sys/fs/cgroup', /^0::(.*)$/m.exec(own)?.[1] ?? '', 'memory.swap.max');
}

function cgroupVersion(): MachineTraits['cgroupVersion'] {
  try {
    return detectCgroups().version;
  } catch {
    return undefined;
  }
}

/** Throws {@link ConfigurationError} where upstream refuses to start on such a machine. */
export function demandOfMachine(
  {
    failSwapOn,
    failCgroupV1,
    singleProcessOOMKill,
  }: Pick<KubeletConfiguration, 'failSwapOn' | 'failCgroupV1' | 'singleProcessOOMKill'>,
  { hasSwap, cgroupVersion }: Omit<MachineTraits, 'limitsSwap'>,
): void {
  const problems = [
    ...(failSwapOn && hasSwap
      ? ['failSwapOn: running with swap on is not supported, please disable swap or set failSwapOn to false']
      : []),
    ...(failCgroupV1 && cgroupVersion !== undefined && cgroupVersion !== 'v2'
      ? ['failCgroupV1: this machine has cgroup v1; move it to cgroup v2 or set failCgroupV1 to false']
      : []),
    ...(singleProcessOOMKill === false && cgroupVersion !== 'v2'
      ? ['singleProcessOOMKill: must not be explicitly set to false when using cgroup v1']
      : []),
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
}
