import { readFile } from 'node:fs/promises';
import { type CgroupVersion, detectCgroups } from '@wherry/linux';
import type { KubeletConfiguration } from '../configuration/configuration.ts';
import { ConfigurationError } from '../configuration/decode-configuration.ts';

/** What the machine is asked for before a kubelet starts on it. */
export interface MachineTraits {
  hasSwap: boolean;
  /** Undefined where there are none. */
  cgroupVersion: CgroupVersion | undefined;
}

/** Asks the kernel. */
export async function readMachineTraits(): Promise<MachineTraits> {
  const swaps = await readFile('/proc/swaps', 'utf8').catch(() => '');
  return { hasSwap: swaps.trim().split('\n').length > 1, cgroupVersion: cgroupVersion() };
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
  { failSwapOn, failCgroupV1 }: Pick<KubeletConfiguration, 'failSwapOn' | 'failCgroupV1'>,
  { hasSwap, cgroupVersion }: MachineTraits,
): void {
  const problems = [
    ...(failSwapOn && hasSwap
      ? ['failSwapOn: running with swap on is not supported, please disable swap or set failSwapOn to false']
      : []),
    ...(failCgroupV1 && cgroupVersion !== undefined && cgroupVersion !== 'v2'
      ? ['failCgroupV1: this machine has cgroup v1; move it to cgroup v2 or set failCgroupV1 to false']
      : []),
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
}
