import { createHash } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { type Clock, systemClock } from '@wherry/clock';
import {
  addressBits,
  familyOf,
  isSlice,
  isSystemdBooted,
  programPath,
  sliceName,
  unixPathBytesMax,
} from '@wherry/linux';
import { createLogger, type Logger, noTracer, type Tracer } from '@wherry/telemetry';
import { messageOf, RuntimeError } from './errors.ts';
import { limits } from './limits.ts';
import type { CgroupDriver } from './spec/cgroup-path.ts';
import { defaultHandler } from './spec/runtime-handler.ts';
import { stageDirFor } from './volumes/stage.ts';

/** Where CNI's parts are. */
export interface CniSettings {
  /** Folder of configurations: the first file by name is the pods' network. */
  confDir: string;
  /** Folders of plug-ins. Default `/opt/cni/bin`. */
  binDirs?: readonly string[] | undefined;
  /** Time for one run of a plug-in. Default 60 s. */
  pluginTimeoutMs?: number | undefined;
}

/** How a runtime is started. */
export interface RuntimeOptions {
  /** Folder for everything it keeps. */
  dataDir: string;
  /** CRI socket. Default `cri.sock` in the data folder. */
  socketPath?: string | undefined;
  /** Socket for `createImageClient`. Default `images.sock` beside the CRI socket. */
  adminSocketPath?: string | undefined;
  monitorSocketPath: string;
  /** Name of the pods' bridge, at most 15 characters. Default: made from the data folder's path. */
  bridgeName?: string | undefined;
  /** Range of the pods' addresses, or one of each family (`10.88.0.0/16,fd00:88::/64`): the first is the pods' own. Default: what UpdateRuntimeConfig says before the first pod, else 10.88.0.0/16. `kubelet`: the same, and no pod has a network before it was said. */
  podCidr?: string | undefined;
  /**
   * Ranges that pods are refused at once instead of being forwarded: those of services while nothing routes to
   * them, which something outside might answer for. Default none.
   */
  blockedCidrs?: readonly string[] | undefined;
  /**
   * Bridges of other nodes of this machine, `wh-*`: their pods see the addresses of this one's pods, as network policies of
   * a cluster need it, and not the machine's. Default none.
   */
  peerBridges?: string | undefined;
  /** Largest packet of the built-in network, in bytes. Default: the kernel's, 1500. */
  podMtu?: number | undefined;
  /** Pods are connected by CNI plug-ins. Default: by the built-in bridge. */
  cni?: CniSettings | undefined;
  /** Parent cgroup of pods that name none; with the driver systemd a slice. Default: `/` and the bridge's name, or a slice of that name. */
  cgroupRoot?: string | undefined;
  /** Who makes cgroups. Default cgroupfs. `systemd` needs a machine that systemd started, and is refused elsewhere. */
  cgroupDriver?: CgroupDriver | undefined;
  /**
   * Folder for what containers with users of their own see: they have to reach it, so it lies where everybody may pass.
   * Default: `/run/wherry` and the bridge's name.
   */
  stageDir?: string | undefined;
  /**
   * Folders of files that describe devices (Container Device Interface); later ones go before earlier ones. Default `/etc/cdi`
   * and `/var/run/cdi`.
   */
  cdiSpecDirs?: readonly string[] | undefined;
  /**
   * Socket for plug-ins of the Node Resource Interface, for root alone; each runtime of a machine needs its own. Default: there is
   * none, and no plug-in can connect.
   */
  nriSocketPath?: string | undefined;
  /** Time that an NRI plug-in has to register, and to answer a request. Default 5 s and 2 s. */
  nriTimes?: { registrationMs: number; requestMs: number } | undefined;
  /** OCI runtime of pods that ask for no handler: runc, crun or a path. Default: the one that the monitor was started with. */
  ociRuntime?: string | undefined;
  /**
   * Runtime handlers beside the default one, which RuntimeClasses name: the OCI runtime of each, a program with runc's
   * command line. Default none.
   */
  runtimeHandlers?: Readonly<Record<string, string>> | undefined;
  /**
   * Folder that says how registries are reached and mirrored: containerd's `HOST/hosts.toml`, or the containers project's
   * `registries.conf`. Default: registries are what image names say.
   */
  registryConfig?: string | undefined;
  /**
   * Containers are brought back from images that are checkpoints. Who makes such an image decides what its processes may do
   * here, whatever their pod says: only where all who can have pods are trusted like root. Default false; archives are for who
   * reaches the CRI socket alone, and are always restored.
   */
  restoresCheckpointImages?: boolean | undefined;
  /** Packed layers go once they are unpacked: less disk, and no push or save. Default false. */
  discardsPackedLayers?: boolean | undefined;
  /** Default: the machine's. */
  clock?: Clock | undefined;
  logger?: Logger | undefined;
  /** Where spans of calls go; the runtime closes it. Default: none are made. */
  tracer?: Tracer | undefined;
}

/** The options with every default in place. */
export type RuntimeSettings = {
  [Name in Exclude<
    keyof RuntimeOptions,
    | 'podCidr'
    | 'peerBridges'
    | 'podMtu'
    | 'registryConfig'
    | 'cni'
    | 'nriSocketPath'
    | 'ociRuntime'
    | 'runtimeHandlers'
  >]-?: Exclude<RuntimeOptions[Name], undefined>;
} & {
  podCidr: string | undefined;
  peerBridges: string | undefined;
  podMtu: number | undefined;
  registryConfig: string | undefined;
  nriSocketPath: string | undefined;
  cni: CniSettings | undefined;
  /** The path of a program. */
  ociRuntime: string | undefined;
  /** Paths of programs by names. */
  runtimeHandlers: ReadonlyMap<string, string>;
};

/** Every IPv4 host takes packets of this size (RFC 791), and no bridge larger ones than that. */
const mtuMin = 576;
const mtuMax = 65_535;

/** A bridge name of its own for each data folder, so that several nodes live on one machine. */
export const bridgeNameFor = (dataDir: string): string =>
  `wherry${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`;

function checkedRange(text: string): string {
  const [address = '', length = '', ...rest] = text.split('/');
  const bits = isIP(address) === 0 ? -1 : addressBits[familyOf(address)];
  if (/^\d{1,3}$/.test(length) && Number(length) <= bits && rest.length === 0) return text;
  throw new RuntimeError('INVALID_ARGUMENT', `blocked range "${text}": want a network such as 10.96.0.0/16`);
}

/** The driver, and the parent cgroup that goes with it. */
function checkedCgroups(
  { cgroupDriver: driver = 'cgroupfs', cgroupRoot }: RuntimeOptions,
  name: string,
): { cgroupDriver: CgroupDriver; cgroupRoot: string } {
  if (driver === 'cgroupfs') return { cgroupDriver: driver, cgroupRoot: cgroupRoot ?? `/${name}` };
  if (driver !== 'systemd')
    throw new RuntimeError('INVALID_ARGUMENT', `cgroup driver "${driver}": want cgroupfs or systemd`);
  if (!isSystemdBooted())
    throw new RuntimeError(
      'FAILED_PRECONDITION',
      'cgroup driver "systemd": systemd has not started this machine (there is no /run/systemd/system); use cgroupfs, here and in the kubelet',
    );
  const root = cgroupRoot ?? sliceName([name]);
  if (isSlice(root)) return { cgroupDriver: driver, cgroupRoot: root };
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `cgroup root "${root}": with the cgroup driver systemd it is a slice; want a name such as wherry.slice`,
  );
}

function checkedPeers(names: string | undefined): string | undefined {
  if (names === undefined || /^[A-Za-z0-9][A-Za-z0-9._-]{0,13}\*?$/.test(names)) return names;
  throw new RuntimeError('INVALID_ARGUMENT', `peer bridges "${names}": want the name of a bridge, or wh-*`);
}

function checkedMtu({ podMtu, cni }: RuntimeOptions): number | undefined {
  if (podMtu === undefined) return undefined;
  if (cni) throw new RuntimeError('INVALID_ARGUMENT', 'the MTU of a CNI network is up to its plug-ins');
  if (Number.isInteger(podMtu) && podMtu >= mtuMin && podMtu <= mtuMax) return podMtu;
  throw new RuntimeError('INVALID_ARGUMENT', `pod MTU ${podMtu}: want ${mtuMin} to ${mtuMax} bytes`);
}

function checkedFolders(folders: readonly string[]): readonly string[] {
  for (const folder of folders)
    if (!isAbsolute(folder))
      throw new RuntimeError('INVALID_ARGUMENT', `CDI folder "${folder}": want an absolute path`);
  return folders;
}

/** As RuntimeClasses write them (DNS labels). */
const handlerName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

function checkedHandlers(handlers: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const programs = new Map(Object.entries(handlers));
  for (const [name, program] of programs) {
    if (!handlerName.test(name) || name === defaultHandler)
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `runtime handler "${name}": want a DNS label other than "${defaultHandler}", the default's`,
      );
    programs.set(name, checkedProgram(program, `runtime handler "${name}"`));
  }
  return programs;
}

function checkedProgram(program: string, what: string): string {
  try {
    const path = programPath(program);
    accessSync(path, constants.X_OK);
    return path;
  } catch (error) {
    throw new RuntimeError('INVALID_ARGUMENT', `${what}: ${messageOf(error)}`);
  }
}

function checkedSocket(path: string | undefined): string | undefined {
  if (path === undefined || (isAbsolute(path) && Buffer.byteLength(path) <= unixPathBytesMax)) return path;
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `NRI socket "${path}": want an absolute path of at most ${unixPathBytesMax} bytes`,
  );
}

function checkedCni(cni: CniSettings): CniSettings {
  for (const folder of [cni.confDir, ...(cni.binDirs ?? [])])
    if (!isAbsolute(folder) || folder.includes(':'))
      throw new RuntimeError('INVALID_ARGUMENT', `CNI folder "${folder}": want an absolute path without ":"`);
  return cni;
}

/** Fills in the defaults. Throws `RuntimeError` INVALID_ARGUMENT for a range that is none. */
export function settingsOf(options: RuntimeOptions): RuntimeSettings {
  const { dataDir, monitorSocketPath } = options;
  const bridgeName = options.bridgeName ?? bridgeNameFor(dataDir);
  const socketPath = options.socketPath ?? join(dataDir, 'cri.sock');
  return {
    dataDir,
    monitorSocketPath,
    bridgeName,
    socketPath,
    adminSocketPath: options.adminSocketPath ?? socketPath.replace(/[^/]*$/, 'images.sock'),
    podCidr: options.podCidr,
    peerBridges: checkedPeers(options.peerBridges),
    podMtu: checkedMtu(options),
    cni: options.cni && checkedCni(options.cni),
    blockedCidrs: (options.blockedCidrs ?? []).map(checkedRange),
    ...checkedCgroups(options, bridgeName),
    stageDir: options.stageDir ?? stageDirFor(bridgeName),
    cdiSpecDirs: checkedFolders(options.cdiSpecDirs ?? ['/etc/cdi', '/var/run/cdi']),
    ociRuntime:
      options.ociRuntime === undefined ? undefined : checkedProgram(options.ociRuntime, 'OCI runtime'),
    runtimeHandlers: checkedHandlers(options.runtimeHandlers ?? {}),
    nriSocketPath: checkedSocket(options.nriSocketPath),
    nriTimes: options.nriTimes ?? {
      registrationMs: limits.nriRegistrationMs,
      requestMs: limits.nriRequestMs,
    },
    registryConfig: options.registryConfig,
    restoresCheckpointImages: options.restoresCheckpointImages ?? false,
    discardsPackedLayers: options.discardsPackedLayers ?? false,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? createLogger('runtime'),
    tracer: options.tracer ?? noTracer,
  };
}
