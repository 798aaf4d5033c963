import { chmod, mkdir } from 'node:fs/promises';
import { type Clock, systemClock } from '@wherry/clock';
import { type CriClient, createCriClient } from '@wherry/cri';
import { createLogger, type Logger, MetricsRegistry, type Tracer } from '@wherry/telemetry';
import type { KubeletConfiguration } from '../configuration/configuration.ts';
import { ConfigurationError } from '../configuration/configuration-error.ts';
import { readNodeLabels } from '../configuration/flags/node-labels.ts';
import type { GroupPlace } from '../pod/group-path.ts';
import { type ApiClient, openApi } from './api/api-client.ts';
import { type CredentialPrograms, readCredentialPrograms } from './credential-programs.ts';
import { type HostSecurity, readHostSecurity } from './host-security.ts';
import { demandOfMachine, type MachineTraits, readMachineTraits } from './machine-demands.ts';
import { type MachineInfo, readFilesystem, readMachineInfo } from './machine-info.ts';
import { measuredRuntime } from './measured-runtime.ts';
import { NodeAddresses } from './node-addresses.ts';
import {
  type GroupLimits,
  limitsForAllPods,
  nodeAllocatable,
  nodeCapacity,
  refuseToReserveMore,
  reservedMemoryBytes,
  reservedMilliCpu,
} from './node-capacity.ts';
import { NodePaths } from './node-paths.ts';
import type { StartKubeletOptions } from './options.ts';
import { demandOfKernel } from './process/kernel-settings.ts';
import { settleProcess } from './process/own-process.ts';
import { readConfiguration } from './read-configuration.ts';
import { enterSystemGroups, type SystemGroups } from './system-groups.ts';
import { type MachineTopology, readMachineTopology } from './topology/machine-topology.ts';
import { withReservedCpus } from './topology/reserved-cpus.ts';
import { kubeletTracer } from './tracing/kubelet-tracer.ts';
import { tracedRuntime } from './tracing/traced-runtime.ts';

/** What every part of the kubelet stands on. */
export interface Ground extends ApiClient {
  configuration: KubeletConfiguration;
  cri: CriClient;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  /** Does nothing unless the configuration names a collector. */
  tracer: Tracer;
  nodeName: string;
  nodeLabels: Readonly<Record<string, string>>;
  /** Asked anew before each report of the node. */
  addresses: Pick<NodeAddresses, 'ips' | 'look' | 'tell' | 'isOfCloud' | 'provided'>;
  /** When this kubelet began. */
  startedAtMs: number;
  machine: MachineInfo;
  /** Where its processors and memory are. */
  topology: MachineTopology;
  host: HostSecurity;
  traits: MachineTraits;
  paths: NodePaths;
  /** Folder of the pods' volumes and of the kubelet's own state. */
  rootDir: string;
  certDir: string;
  strictStreaming: boolean;
  /** Programs that know logins of registries. */
  credentialPrograms: CredentialPrograms | undefined;
  flags: Readonly<Record<string, string>> | undefined;
  setVerbosity: ((level: number) => void) | undefined;
  filesystemBytes: number;
  allocatable: Readonly<Record<string, string>>;
  /** Thousandths of processors that are kept back for the system and for Kubernetes. */
  reservedMilliCpu: number;
  /** The same of memory and huge pages, by kind; the hard eviction threshold is in it. */
  reservedBytes: ReadonlyMap<string, number>;
  /** What the control group above all pods is held to. */
  forAllPods: GroupLimits;
  /** Groups of the kubelet and the runtime, whose figures are told. */
  systemGroups: SystemGroups;
  /** Where control groups are made, and by whom: the runtime may say otherwise once it answers. */
  groups: GroupPlace;
}

const rootDirDefault = '/var/lib/kubelet';

/** Reads configuration and machine, makes the folders and opens the clients. Throws ConfigurationError. */
export async function layGround(options: StartKubeletOptions): Promise<Ground> {
  const clock = options.clock ?? systemClock;
  const startedAtMs = clock.nowMs();
  const logger = options.logger ?? createLogger('kubelet');
  const topology = readMachineTopology();
  const configuration = withReservedCpus(await readConfiguration(options, logger), topology);
  const isOfCloud = hasCloudController(options);
  const traits = await readMachineTraits();
  demandOfMachine(configuration, traits);
  if (configuration.protectKernelDefaults) demandOfKernel();
  if (options.ownsProcess) await settleProcess(configuration, logger);
  const systemGroups = enterSystemGroups(configuration, options, logger);
  const machine = await readMachineInfo();
  const nodeName = (options.hostnameOverride || machine.hostname).toLowerCase();
  const rootDir = options.rootDir ?? rootDirDefault;
  const paths = new NodePaths({ rootDir, podLogsDir: configuration.podLogsDir });
  await mkdir(paths.podsDir, { recursive: true, mode: 0o750 });
  // Volumes below are open to everyone, and may hold setuid files: nobody else may come there.
  await chmod(paths.podsDir, 0o750);
  await mkdir(paths.podLogsDir, { recursive: true, mode: 0o755 });
  const { totalBytes: filesystemBytes } = await readFilesystem(rootDir);
  const capacity = nodeCapacity({ machine, configuration, filesystemBytes });
  refuseToReserveMore(capacity, configuration, machine);
  const certDir = options.certDir ?? `${rootDir}/pki`;
  const metrics = options.metrics ?? new MetricsRegistry();
  const tracer = options.tracer ?? (await kubeletTracer(configuration, { nodeName, logger }));
  return {
    configuration,
    ...(await openApi({ ...options, configuration, certDir, nodeName, clock, logger, metrics, tracer })),
    cri: measuredRuntime(tracedRuntime(connectRuntime(configuration), tracer), metrics, clock),
    clock,
    logger,
    metrics,
    tracer,
    nodeName,
    startedAtMs,
    nodeLabels: readNodeLabels(options.nodeLabels ?? []),
    addresses: await NodeAddresses.find({ given: options.nodeIp ?? '', nodeName, isOfCloud }),
    machine,
    topology,
    host: await readHostSecurity(),
    traits,
    paths,
    rootDir,
    certDir,
    strictStreaming: options.strictStreaming ?? true,
    credentialPrograms: await readCredentialPrograms(options),
    flags: options.flags,
    setVerbosity: options.setVerbosity,
    filesystemBytes,
    allocatable: nodeAllocatable(capacity, configuration),
    reservedMilliCpu: reservedMilliCpu(configuration),
    reservedBytes: reservedMemoryBytes(capacity, configuration),
    forAllPods: limitsForAllPods(machine, configuration),
    systemGroups,
    groups: { cgroupDriver: configuration.cgroupDriver, cgroupRoot: configuration.cgroupRoot },
  };
}

/** Clouds have controllers of their own: none is built in. Throws ConfigurationError. */
function hasCloudController({ cloudProvider = '' }: StartKubeletOptions): boolean {
  if (cloudProvider === '' || cloudProvider === 'external') return cloudProvider !== '';
  throw new ConfigurationError(
    [`--cloud-provider: "${cloudProvider}" is neither external nor empty: no provider is built in`],
    "the kubelet's command line",
  );
}

/** Images come from the same socket unless the configuration names another. */
function connectRuntime({ containerRuntimeEndpoint, imageServiceEndpoint }: KubeletConfiguration): CriClient {
  const client = createCriClient(containerRuntimeEndpoint);
  if (!imageServiceEndpoint || imageServiceEndpoint === containerRuntimeEndpoint) return client;
  const images = createCriClient(imageServiceEndpoint);
  const close = () => {
    client.close();
    images.close();
  };
  return { ...client, images: images.images, close };
}
