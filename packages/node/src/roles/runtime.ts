import { type CgroupDriver, type CniSettings, type Runtime, startRuntime } from '@wherry/runtime';
import type { Logger, Tracer } from '@wherry/telemetry';
import { NodeError } from '../errors.ts';
import { roleTracer } from '../machine/tracing-file.ts';
import { roleLogger, runUntilSignal, type Verbosity } from './run-role.ts';

/** Flags of `wherry runtime`, as commander hands them over. */
export interface RuntimeFlags {
  dataDir: string;
  address: string;
  monitorAddress: string;
  imageAddress?: string;
  bridge: string;
  podCidr?: string;
  peerBridges?: string;
  podMtu?: number;
  cniConfDir?: string;
  cniBinDir?: string[];
  blockedCidr?: string[];
  cgroupDriver?: CgroupDriver;
  cgroupRoot?: string;
  cdiSpecDirs?: string[];
  nriSocket?: string;
  ociRuntime?: string;
  runtimeHandler?: Record<string, string>;
  registryConfig?: string;
  tracingConfigFile?: string;
  discardUnpackedLayers?: boolean;
  restoreCheckpointImages?: boolean;
}

/** CNI's folders; undefined without CNI. Throws `NodeError` `bad-settings` for plug-ins without a configuration. */
function cniOf({ cniConfDir, cniBinDir }: RuntimeFlags): CniSettings | undefined {
  if (cniConfDir !== undefined) return { confDir: cniConfDir, binDirs: cniBinDir };
  if (cniBinDir === undefined) return undefined;
  throw new NodeError('bad-settings', '--cni-bin-dir is for --cni-conf-dir, which is not given');
}

/** Starts the runtime that the flags tell of. */
export function startRuntimeFrom(flags: RuntimeFlags, logger: Logger, tracer?: Tracer): Promise<Runtime> {
  return startRuntime({
    dataDir: flags.dataDir,
    socketPath: flags.address,
    monitorSocketPath: flags.monitorAddress,
    adminSocketPath: flags.imageAddress,
    bridgeName: flags.bridge,
    podCidr: flags.podCidr,
    peerBridges: flags.peerBridges,
    podMtu: flags.podMtu,
    cni: cniOf(flags),
    blockedCidrs: flags.blockedCidr,
    cgroupDriver: flags.cgroupDriver,
    cgroupRoot: flags.cgroupRoot ?? (flags.cgroupDriver === 'systemd' ? 'wherry.slice' : '/wherry'),
    cdiSpecDirs: flags.cdiSpecDirs,
    nriSocketPath: flags.nriSocket,
    ociRuntime: flags.ociRuntime,
    runtimeHandlers: flags.runtimeHandler,
    registryConfig: flags.registryConfig,
    discardsPackedLayers: flags.discardUnpackedLayers,
    restoresCheckpointImages: flags.restoreCheckpointImages,
    logger,
    tracer,
  });
}

/** Runs the CRI runtime until it is signalled. */
export async function runtime({ v, ...flags }: RuntimeFlags & Verbosity): Promise<void> {
  const logger = roleLogger('runtime', v);
  const tracer = await roleTracer(flags.tracingConfigFile, { service: 'runtime', logger });
  const runtime = await startRuntimeFrom(flags, logger, tracer);
  await runUntilSignal(logger, async () => {
    await runtime.close();
    if (!runtime.isStuck) return;
    logger.warn('a look-up of a host path hangs; the process ends without waiting for it');
    process.kill(process.pid, 'SIGKILL');
  });
}
