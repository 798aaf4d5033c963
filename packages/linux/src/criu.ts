import { spawnSync } from 'node:child_process';
import { usualOciRuntime } from './probe.ts';

/** Whether containers can be checkpointed and restored on this machine, and what is in the way. */
export interface CheckpointAbility {
  /** What is there, or what is missing. */
  detail: string;
  /** How to get it; undefined where nothing is missing. */
  remedy: string | undefined;
}

const timeoutMs = 20_000;

/** Looks for CRIU, and has it look at the kernel (`criu check`), which takes some tenths of a second. */
export function checkpointAbility(): CheckpointAbility {
  const version = spawnSync('criu', ['--version'], { encoding: 'utf8', timeout: timeoutMs });
  if (version.error) return { detail: 'not found', remedy: 'install criu (apt-get install criu)' };
  const name = `criu ${/Version:\s*(\S+)/.exec(version.stdout)?.[1] ?? ''}`.trim();
  const check = spawnSync('criu', ['check'], { encoding: 'utf8', timeout: timeoutMs });
  if (check.status !== 0) {
    const words = `${check.stdout}${check.stderr}`.trim().split('\n');
    const why = words.filter((line) => line.includes('Error')).at(-1) ?? words.at(-1) ?? '';
    return {
      detail: `${name}, whose \`criu check\` fails: ${why.trim()}`,
      remedy: 'install a criu that agrees with this kernel, as root; a newer Debian has one',
    };
  }
  if (usualOciRuntime() === 'crun' && !crunHasCriu())
    return {
      detail: `${name}, which crun is built without`,
      remedy: 'have containers run by runc: remove crun, or name runc by --oci-runtime',
    };
  return { detail: name, remedy: undefined };
}

function crunHasCriu(): boolean {
  return spawnSync('crun', ['--version'], { encoding: 'utf8', timeout: timeoutMs }).stdout.includes('+CRIU');
}
