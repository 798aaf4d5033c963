import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../../configuration/configuration-error.ts';

/** What a kubelet wants of the kernel, by the names of sysctl(8) (upstream: setupKernelTunables). */
const wantedSettings: ReadonlyMap<string, number> = new Map([
  ['vm.overcommit_memory', 1],
  ['vm.panic_on_oom', 0],
  ['kernel.panic', 10],
  ['kernel.panic_on_oops', 1],
  ['kernel.keys.root_maxkeys', 1_000_000],
  ['kernel.keys.root_maxbytes', 25_000_000],
]);

/**
 * With `protectKernelDefaults: true` the machine's settings have to be what a kubelet wants. Throws {@link ConfigurationError}
 * that names each one that is not, and what would set it. Changes nothing.
 */
export function demandOfKernel(folder = '/proc/sys'): void {
  const problems = [...wantedSettings].flatMap(([name, wanted]) => {
    const path = join(folder, name.replaceAll('.', '/'));
    const problem = problemOf(path, wanted);
    return problem === undefined ? [] : [`protectKernelDefaults: ${name} ${problem}`];
  });
  if (problems.length === 0) return;
  const lines = [...wantedSettings].map(([name, wanted]) => `${name}=${wanted}`).join(' ');
  throw new ConfigurationError([
    ...problems,
    `protectKernelDefaults: set them (sysctl -w ${lines}, and the same in /etc/sysctl.d for later boots), or leave it false`,
  ]);
}

function problemOf(path: string, wanted: number): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return Number(text) === wanted ? undefined : `is ${text}, must be ${wanted}`;
  } catch (error) {
    return `can't be read: ${(error as Error).message}`;
  }
}
