import type { KubeClient } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import { type Logger, silentLogger } from '@wherry/telemetry';
import { type AccountClientMaker, AccountClients } from './accounts/account-clients.ts';
import { definitions } from './definitions.ts';
import type { ControllerFigures } from './figures/controller-figures.ts';
import type { AutoscalerSettings } from './machinery/autoscaler-settings.ts';
import { ClusterView } from './machinery/cluster-view.ts';
import type { NodeEvictionRates } from './machinery/node-eviction-rates.ts';
import type { NodeMonitorTimes } from './machinery/node-monitor-times.ts';
import type { NodeRanges } from './machinery/node-ranges.ts';
import type { ControllerDefinition } from './machinery/run-controller.ts';
import type { SigningOptions } from './machinery/signing-options.ts';
import type { SchedulerSetup } from './scheduler/profiles/setup.ts';
import { scheduler, schedulerBy } from './scheduler/scheduler.ts';
import { selectControllers } from './select-controllers.ts';

/** What the controllers need. */
export interface ControllersOptions {
  /** Acts as a user who may read and write everything they manage (upstream: system:kube-controller-manager). */
  client: KubeClient;
  /**
   * Has each controller act as a service account of its own in `kube-system`, as upstream's `--use-service-account-credentials`: `client`
   * only asks for their tokens, and follows what they watch. Default: all act as `client`.
   */
  accountClient?: AccountClientMaker | undefined;
  /** The CA certificate that pods find in `kube-root-ca.crt`, PEM. */
  rootCaPem: string;
  /** Who signs certificates that were asked for. Default: nobody here. */
  signing?: SigningOptions | undefined;
  /** PEM of the key that signs tokens which live in secrets. Default: such secrets stay empty. */
  tokenSigningKeyFile?: string | undefined;
  /** How fast nodes that are not ready are given up. Default: as upstream. */
  nodeEvictionRates?: Partial<NodeEvictionRates> | undefined;
  /** When silent nodes count as gone. Default: as upstream. */
  nodeMonitorTimes?: Partial<NodeMonitorTimes> | undefined;
  /** What addresses of pods nodes get. Default: none here. */
  nodeRanges?: NodeRanges | undefined;
  /** How long nobody has used a token in a secret that is cleaned up. Default: a year, as upstream. */
  legacyTokenUnusedMs?: number | undefined;
  /** Finished pods that are kept before the oldest are deleted; 0 and below: all. Default: 12,500, as upstream. */
  finishedPodsMax?: number | undefined;
  /** What autoscalers go by where they do not say it. Default: as upstream. */
  autoscaling?: Partial<AutoscalerSettings> | undefined;
  /** Keys that controllers work on at once, by their names. Default: as each says. */
  concurrency?: ReadonlyMap<string, number> | undefined;
  /** What the scheduler goes by: see `@wherry/controllers/scheduler-configuration`. Default: upstream's default profile. */
  schedulerSetup?: SchedulerSetup | undefined;
  /** Which ones run, as upstream's flag says it: `*`, `name`, `-name`. Default: all. */
  controllers?: readonly string[];
  /** What is told of them. Default: nothing. */
  figures?: ControllerFigures | undefined;
  clock?: Clock;
  logger?: Logger;
}

/** The running control loops. */
export interface Controllers {
  /** Ends all loops and watches; nothing is written after it has resolved. */
  close(): Promise<void>;
}

/**
 * Starts controllers over the API of any server. Failures are logged and tried again. They elect no leader: run each
 * once per cluster. Throws `RangeError` on a name that is no controller's.
 */
export function startControllers(options: ControllersOptions): Controllers {
  const { client, rootCaPem, signing, tokenSigningKeyFile, controllers = ['*'] } = options;
  const { nodeEvictionRates, nodeMonitorTimes, nodeRanges, legacyTokenUnusedMs } = options;
  const { finishedPodsMax, schedulerSetup, figures, autoscaling, concurrency, accountClient } = options;
  const { clock = systemClock, logger = silentLogger } = options;
  const chosen = selectControllers(controllers, definitions);
  const cluster = new ClusterView({
    client,
    rootCaPem,
    signing,
    tokenSigningKeyFile,
    nodeEvictionRates,
    nodeMonitorTimes,
    nodeRanges,
    legacyTokenUnusedMs,
    finishedPodsMax,
    autoscaling,
    concurrency,
    figures,
    clock,
    logger,
  });
  const configured = schedulerSetup && schedulerBy(schedulerSetup);
  const accounts = accountClient && new AccountClients({ client, clock, make: accountClient });
  const viewOf = ({ name, account = name }: ControllerDefinition) =>
    accounts && account !== null ? cluster.as(accounts.of(account)) : cluster;
  const running = chosen.map((definition) =>
    (definition === scheduler && configured ? configured : definition).start(viewOf(definition)),
  );
  return {
    async close() {
      await Promise.all(running.map((controller) => controller.close()));
      await cluster.close();
      accounts?.close();
    },
  };
}
