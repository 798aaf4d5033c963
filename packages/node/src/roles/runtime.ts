import { type Runtime, startRuntime } from '@wherry/runtime';
import type { Logger } from '@wherry/telemetry';
import { roleLogger, runUntilSignal, type Verbosity } from './run-role.ts';

/** Flags of `wherry runtime`, as commander hands them over. */
export interface RuntimeFlags {
  dataDir: string;
  address: string;
  monitorAddress: string;
  imageAddress?: string;
  bridge: string;
  podCidr?: string;
  blockedCidr?: string[];
  cgroupRoot: string;
  ociRuntime?: string;
  registryConfig?: string;
  discardUnpackedLayers?: boolean;
}

/** Starts the runtime that the flags tell of. */
export function startRuntimeFrom(flags: RuntimeFlags, logger: Logger): Promise<Runtime> {
  return startRuntime({
    dataDir: flags.dataDir,
    socketPath: flags.address,
    monitorSocketPath: flags.monitorAddress,
    adminSocketPath: flags.imageAddress,
    bridgeName: flags.bridge,
    podCidr: flags.podCidr,
    blockedCidrs: flags.blockedCidr,
    cgroupRoot: flags.cgroupRoot,
    ociRuntime: flags.ociRuntime,
    registryConfig: flags.registryConfig,
    discardsPackedLayers: flags.discardUnpackedLayers,
    logger,
  });
}

/** Runs the CRI runtime until it is signalled. */
export async function runtime({ v, ...flags }: RuntimeFlags & Verbosity): Promise<void> {
  const logger = roleLogger('runtime', v);
  const runtime = await startRuntimeFrom(flags, logger);
  await runUntilSignal(logger, async () => {
    await runtime.close();
    if (!runtime.isStuck) return;
    logger.warn('a look-up of a host path hangs; the process ends without waiting for it');
    process.kill(process.pid, 'SIGKILL');
  });
}
