import { readFileSync } from 'node:fs';
import { createKubeClient, KubeClient } from '@wherry/client';
import {
  type Controllers,
  candidateHasEnded,
  type LeaseTerms,
  type Manager,
  ownCandidacy,
  standAsManager,
  startOnMachine,
} from '@wherry/controllers';
import type { Logger } from '@wherry/telemetry';
import { NodeError } from '../errors.ts';
import { heldPorts } from '../machine/held-ports.ts';
import { volumeFolders } from '../machine/volume-folders.ts';
import type { ComponentPages } from './component-server/component-pages.ts';
import type { ManagerPages } from './component-server/manager-pages.ts';
import type { ManagerComponentFlags } from './flags/component-flags.ts';
import { checkGates, type GateFlags } from './flags/gate-flags.ts';
import { type AutoscalerFlags, autoscalerSettingsOf } from './flags/manager/autoscaler-flags.ts';
import { concurrencyOf } from './flags/manager/concurrency-flags.ts';
import { type ElectionFlags, leaseTermsOf } from './flags/manager/election-flags.ts';
import { type SigningFlags, signingOf } from './flags/manager/signing-flags.ts';
import {
  type NodeLifecycleFlags,
  nodeEvictionRatesOf,
  nodeMonitorTimesOf,
} from './flags/nodes/node-lifecycle-flags.ts';
import { type NodeRangeFlags, nodeRangesOf } from './flags/nodes/node-range-flags.ts';
import { warnedOfControllers, warnedOfManagers, warnOfFlags } from './flags/warned-flags.ts';
import { roleLogger, runUntilSignal, type Verbosity } from './run-role.ts';

/** Flags of `wherry controllers`, as commander hands them over. */
export interface ControllersFlags
  extends SigningFlags,
    GateFlags,
    AutoscalerFlags,
    ElectionFlags,
    NodeLifecycleFlags,
    NodeRangeFlags,
    ManagerComponentFlags {
  kubeconfig: string;
  schedulerKubeconfig?: string;
  schedulerConfig?: string;
  rootCaFile: string;
  serviceAccountPrivateKeyFile?: string;
  legacyServiceAccountTokenCleanUpPeriod?: number;
  terminatedPodGcThreshold?: number;
  controllers?: string[];
  useServiceAccountCredentials?: boolean;
  localPathDir?: string;
  localPathNode?: string[];
  loadBalancerNode?: string;
  /** Default true. */
  loadBalancer?: boolean;
}

/** How long the API server may refuse connections before a request fails: it may still be starting. */
const connectRetryMs = 5_000;

/** Runs the scheduler and the other controllers, each under its own user and lease, until it is signalled. */
export async function controllers(flags: ControllersFlags & Verbosity): Promise<void> {
  const { kubeconfig, rootCaFile, controllers, leaderElect = true, useServiceAccountCredentials, v } = flags;
  await checkGates(flags);
  const settings = await schedulerSettingsOf(flags);
  const ofScheduler =
    flags.schedulerKubeconfig ?? (settings?.configuration.clientConnection.kubeconfig || undefined);
  const schedulerKubeconfig = ofScheduler ?? kubeconfig;
  const logger = roleLogger('controllers', v);
  const rootCaPem = readFileSync(rootCaFile, 'utf8');
  const clientOf = (path: string, userAgent: string, pages?: ComponentPages) =>
    createKubeClient({ kubeconfig: path, userAgent, connectRetryMs, ...pages?.client });
  const serving = await servingOf(flags);
  const pages = serving?.managerPages(flags, leaderElect) ?? ({} as ManagerPages);
  const tokenSigningKeyFile = flags.serviceAccountPrivateKeyFile;
  const signing = signingOf(flags);
  const lease = leaderElect ? leaseTermsOf(flags) : null;
  warnOfFlags(flags, [...warnedOfManagers, ...warnedOfControllers], logger);
  for (const warning of settings?.warnings ?? [])
    logger.warn("a field of the scheduler's configuration has no effect", { warning });
  const shared = {
    schedulerSetup: settings?.setup,
    rootCaPem,
    tokenSigningKeyFile,
    signing,
    nodeEvictionRates: nodeEvictionRatesOf(flags),
    nodeMonitorTimes: nodeMonitorTimesOf(flags),
    nodeRanges: nodeRangesOf(flags),
    legacyTokenUnusedMs: flags.legacyServiceAccountTokenCleanUpPeriod,
    finishedPodsMax: flags.terminatedPodGcThreshold,
    autoscaling: autoscalerSettingsOf(flags),
    concurrency: concurrencyOf(flags),
    logger,
    ...(controllers ? { controllers } : {}),
  };
  const candidacy = { ...shared, identity: ownCandidacy(), hasEnded: candidateHasEnded };
  const pagesOf = (manager: Manager) => pages[manager];
  const stand = (manager: Manager, path: string, lease?: LeaseTerms | null) =>
    standAsManager({
      ...{ ...candidacy, manager, lease, figures: pagesOf(manager)?.figures },
      client: clientOf(path, manager, pagesOf(manager)),
      ...(useServiceAccountCredentials && {
        accountClient: (access, account) =>
          new KubeClient({
            ...{ access, userAgent: `${manager}/${account}`, connectRetryMs },
            ...pagesOf(manager)?.client,
          }),
      }),
    });
  const servers =
    (await serving?.serveManagerPages(
      pages,
      { ...flags, schedulerKubeconfig, schedulerConfiguration: settings?.written },
      logger,
    )) ?? [];
  // The user that only asks for tokens may not schedule.
  const schedules = !useServiceAccountCredentials || ofScheduler !== undefined;
  const begin = (): (Controllers | undefined)[] => [
    schedules ? stand('kube-scheduler', schedulerKubeconfig, lease && settings?.lease) : undefined,
    stand('kube-controller-manager', kubeconfig, lease),
  ];
  let running: ReturnType<typeof begin>;
  try {
    running = begin();
  } catch (error) {
    // Else they would keep the process, and tell that all is well.
    await Promise.all(servers.map((each) => each.close()));
    throw error instanceof RangeError
      ? new NodeError('bad-settings', `--controllers: ${error.message}`)
      : error;
  }
  const onMachine = machineControllers(flags, { logger, client: () => clientOf(kubeconfig, onMachineAgent) });
  await runUntilSignal(logger, async () => {
    await Promise.all([...running, onMachine, ...servers].map((each) => each?.close()));
  });
}

/** Only who is given a port loads what tells of the controllers. */
async function servingOf({ securePort, schedulerSecurePort }: ControllersFlags) {
  return securePort || schedulerSecurePort ? import('./component-server/manager-pages.ts') : undefined;
}

/** What the scheduler's file says, if there is one: its reader is loaded then. */
async function schedulerSettingsOf({ schedulerConfig: path }: ControllersFlags) {
  if (path === undefined) return undefined;
  return (await import('./scheduler/scheduler-settings.ts')).readSchedulerSettings(path);
}

/** How their requests name what gives the cluster something of this machine. */
export const onMachineAgent = 'wherry-on-machine';

type MachineFlags = Pick<
  ControllersFlags,
  'localPathDir' | 'localPathNode' | 'loadBalancerNode' | 'loadBalancer'
>;

/**
 * What gives the cluster folders and the address of this machine, where the flags name some: it stands beside the controllers, since
 * the right to make volumes is theirs and no kubelet's, and needs no lease, since it serves no other machine. Throws when half is told.
 */
export function machineControllers(
  flags: MachineFlags,
  { client, logger }: { client(): KubeClient; logger: Logger },
): Controllers | undefined {
  const { localPathDir, localPathNode, loadBalancerNode: nodeName, loadBalancer: isOn = true } = flags;
  if ((localPathDir === undefined) !== (localPathNode === undefined))
    throw new NodeError('bad-settings', '--local-path-dir and --local-path-node need each other');
  const folders =
    localPathDir === undefined || localPathNode === undefined
      ? undefined
      : volumeFolders(localPathDir, localPathNode);
  const balancing = nodeName === undefined ? undefined : { nodeName, ports: heldPorts, isOn };
  if (!folders && !balancing) return undefined;
  return startOnMachine({ client: client(), folders, balancing, logger });
}
