import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CgroupLayout, detectCgroups, hasCapability } from '@wherry/linux';
import { capabilitiesOf } from './capabilities.ts';
import type { CgroupAbilities } from './resources.ts';
import type { RuntimeHandler, RuntimeHandlers } from './runtime-handler.ts';

/** What this machine lets containers have. */
export interface MachineAbilities {
  /** Capabilities that this process may give away: its bounding set. */
  capabilities: string[];
  hasUnifiedCgroups: boolean;
  cgroups: CgroupAbilities;
  layout: CgroupLayout;
  /** By the default OCI runtime. */
  supportsRecursiveReadOnly: boolean;
  /** Beside the default: what names it in RuntimeClasses. */
  runtimeHandlers: RuntimeHandlers;
  /** Why pods can't have user namespaces of their own; null when they can. */
  userNamespaceProblem: string | null;
  /** The kernel labels processes and files with SELinux. */
  hasSelinux: boolean;
  /** Lowest oom_score_adj that can be set: without CAP_SYS_RESOURCE nothing below one's own. */
  oomScoreAdjMin: number;
}

const lowestScore = -1000;

function boundingSet(): string[] {
  const line = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return capabilitiesOf(BigInt(`0x${line?.[1] ?? '0'}`));
}

function scoreMin(): number {
  if (hasCapability('CAP_SYS_RESOURCE')) return lowestScore;
  return Number(readFileSync('/proc/self/oom_score_adj', 'utf8'));
}

function cgroupAbilities(layout: CgroupLayout): CgroupAbilities {
  const memory = layout.controllers.get('memory');
  if (memory !== undefined) {
    const swap = existsSync(join(memory, 'memory.memsw.limit_in_bytes'));
    return { swap, hugetlb: layout.controllers.has('hugetlb') };
  }
  const controllers = readFileSync(join(layout.unified ?? '', 'cgroup.controllers'), 'utf8').split(/\s+/);
  const swap = existsSync('/proc/swaps');
  return { swap: swap && controllers.includes('memory'), hugetlb: controllers.includes('hugetlb') };
}

/** mount_setattr(2), by which a whole tree becomes read-only, came with Linux 5.12. */
function hasMountAttributes(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number.parseFloat);
  return major > 5 || (major === 5 && minor >= 12);
}

/** Asks the OCI runtime once whether it knows recursive read-only mounts; older ones lack the question too. */
async function knowsRecursiveReadOnly(ociRuntime: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(ociRuntime, ['features']);
    const { mountOptions } = JSON.parse(stdout) as { mountOptions?: string[] };
    return mountOptions?.includes('rro') ?? false;
  } catch {
    return false;
  }
}

/** Looks at the machine once, at the runtime's start. */
export async function probeAbilities({
  ociRuntime,
  runtimeHandlers,
  findUserNamespaceProblem,
}: {
  ociRuntime: string;
  /** Programs by the names of their handlers. */
  runtimeHandlers: ReadonlyMap<string, string>;
  findUserNamespaceProblem: () => Promise<string | null>;
}): Promise<MachineAbilities> {
  const layout = detectCgroups();
  const mayBeReadOnly = hasMountAttributes();
  const [knowsRecursive, handlers, userNamespaceProblem] = await Promise.all([
    knowsRecursiveReadOnly(ociRuntime),
    Promise.all(
      [...runtimeHandlers].map(async ([name, program]): Promise<[string, RuntimeHandler]> => {
        const supportsRecursiveReadOnly = mayBeReadOnly && (await knowsRecursiveReadOnly(program));
        return [name, { ociRuntime: program, supportsRecursiveReadOnly }];
      }),
    ),
    findUserNamespaceProblem(),
  ]);
  return {
    capabilities: boundingSet(),
    hasUnifiedCgroups: layout.version === 'v2',
    cgroups: cgroupAbilities(layout),
    layout,
    supportsRecursiveReadOnly: mayBeReadOnly && knowsRecursive,
    runtimeHandlers: new Map(handlers),
    userNamespaceProblem,
    hasSelinux: existsSync('/sys/fs/selinux/enforce'),
    oomScoreAdjMin: scoreMin(),
  };
}
