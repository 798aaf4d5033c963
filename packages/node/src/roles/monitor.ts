import { startMonitor } from '@wherry/monitor';
import { roleLogger, runUntilSignal } from './run-role.ts';

/** Flags of `wherry monitor`, as commander hands them over. */
export interface MonitorFlags {
  dataDir: string;
  address: string;
  streamServerAddress: string;
  streamServerPort: number;
  ociRuntime?: string;
  v: number;
}

/** Runs the monitor until it is signalled. Containers outlive it. */
export async function monitor(flags: MonitorFlags): Promise<void> {
  const logger = roleLogger('monitor', flags.v);
  const monitor = await startMonitor({
    dataDir: flags.dataDir,
    socketPath: flags.address,
    streamingAddress: flags.streamServerAddress,
    streamingPort: flags.streamServerPort,
    ...(flags.ociRuntime ? { ociRuntime: flags.ociRuntime } : {}),
    logger,
  });
  await runUntilSignal(logger, () => monitor.close());
}
