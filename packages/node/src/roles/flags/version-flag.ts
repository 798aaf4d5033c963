/** `--version` of the parts that stand in the places of Kubernetes' own programs. */
import type { Command } from 'commander';

/** Of Kubernetes. Known here, so that who asks loads nothing of what knows it, too. */
const version = 'v1.36.2';

/** Adds the flag: whatever else is said, the command writes which version it speaks, and the process ends. */
export function addVersionFlag(command: Command): Command {
  return command.version(
    `Kubernetes ${version}`,
    '--version',
    'print the version of Kubernetes that it speaks, and end',
  );
}
