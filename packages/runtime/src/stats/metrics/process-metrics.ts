import { openFilesMaxOf, openFilesOf } from '@wherry/linux';
import { limits } from '../../limits.ts';
import type { Samples } from './families.ts';

/** What the processes of a container have open, and the limits of its first one. Those that end meanwhile are left out. */
export function addProcesses(samples: Samples, pids: readonly number[], firstPid: number): void {
  const { files, sockets } = openFilesOf(pids.slice(0, limits.metricProcessesMax), limits.metricFilesMax);
  samples.add('container_processes', pids.length);
  samples.add('container_file_descriptors', files);
  samples.add('container_sockets', sockets);
  const most = openFilesMaxOf(firstPid);
  if (most !== undefined) samples.add('container_ulimits_soft', most, 'max_open_files');
}
