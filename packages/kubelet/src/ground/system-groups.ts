import { createGroup, detectCgroups, enterGroup, foldersAt } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import type { KubeletConfiguration } from '../configuration/configuration.ts';
import { ConfigurationError } from '../configuration/configuration-error.ts';
import { isGroupName } from '../configuration/field-types.ts';
import type { StartKubeletOptions } from './options.ts';

/** Control groups of the machine's own parts, by their paths; '' for what has none that is known. */
export interface SystemGroups {
  kubelet: string;
  runtime: string;
  /** Where processes are gathered that have none of their own. */
  misc: string;
}

/**
 * Moves this process, where it is the kubelet's alone, to the group of `kubeletCgroups`. Where that can't be, it is said, and it
 * stays where it is, as upstream. Throws ConfigurationError for a runtime's group that is no path.
 */
export function enterSystemGroups(
  { kubeletCgroups, systemCgroups: misc }: Pick<KubeletConfiguration, 'kubeletCgroups' | 'systemCgroups'>,
  { ownsProcess, runtimeCgroups: runtime = '' }: StartKubeletOptions,
  logger: Logger,
): SystemGroups {
  if (!isGroupName(runtime))
    throw new ConfigurationError([
      `--runtime-cgroups: ${JSON.stringify(runtime)} is no path of a control group; it begins with /, as /containerd`,
    ]);
  if (kubeletCgroups === '' || !ownsProcess) return { kubelet: '', runtime, misc };
  try {
    const folders = foldersAt(detectCgroups(), kubeletCgroups);
    createGroup(folders);
    enterGroup(folders, process.pid);
    return { kubelet: kubeletCgroups, runtime, misc };
  } catch (error) {
    logger.warn('the kubelet could not be moved to its control group', { kubeletCgroups, error });
    return { kubelet: '', runtime, misc };
  }
}
