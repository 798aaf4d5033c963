import { type RunningMonitor, type StartMonitorOptions, startMonitor } from '@wherry/monitor';
import { roleLogger, runUntilSignal, type Verbosity } from './run-role.ts';

/** Flags of `wherry monitor`, as commander hands them over. */
export interface MonitorFlags {
  dataDir: string;
  address: string;
  streamServerAddress?: string;
  streamServerPort?: number;
  ociRuntime?: string;
}

/** Starts the monitor that the flags tell of. */
export function startMonitorFrom(
  flags: MonitorFlags,
  more: Partial<StartMonitorOptions>,
): Promise<RunningMonitor> {
  const { dataDir, address, streamServerAddress, streamServerPort, ociRuntime } = flags;
  return startMonitor({
    dataDir,
    socketPath: address,
    ...(streamServerAddress !== undefined && { streamingAddress: streamServerAddress }),
    ...(streamServerPort !== undefined && { streamingPort: streamServerPort }),
    ...(ociRuntime && { ociRuntime }),
    ...more,
  });
}

/** Runs the monitor until it is signalled. Containers outlive it. */
export async function monitor({ v, ...flags }: MonitorFlags & Verbosity): Promise<void> {
  const logger = roleLogger('monitor', v);
  const monitor = await startMonitorFrom(flags, { logger, ownsProcess: true });
  await runUntilSignal(logger, () => monitor.close());
}
