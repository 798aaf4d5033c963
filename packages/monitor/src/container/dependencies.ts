import type { CgroupLayout } from '@wherry/linux';
import type { ContainerEventType, ContainerStatus } from '@wherry/monitor-api';
import type { Logger } from '@wherry/telemetry';
import type { ScratchPipe } from '../log/scratch-pipe.ts';
import type { WatchTools } from '../process/exit-watch.ts';
import type { OciRuntime } from '../process/oci-runtime.ts';

/** What every container of a monitor shares. */
export interface ContainerDependencies extends WatchTools {
  ociRuntime: OciRuntime;
  logger: Logger;
  cgroups: CgroupLayout;
  /** Path of the keepers' program. */
  keeperProgram: string;
  /** Folder of all containers' folders. */
  containersFolder: string;
  /** Folder for console sockets, with a short path. */
  socketFolder: string;
  scratch: ScratchPipe;
  /** How long an attached client may take nothing before its container goes on without it. */
  attachPatienceMs: number;
  onEvent(type: ContainerEventType, container: ContainerStatus): void;
}
