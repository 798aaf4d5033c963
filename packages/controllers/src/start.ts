import type { KubeClient } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import { type Logger, silentLogger } from '@wherry/telemetry';
import type { Controller, ControllerContext } from './controller.ts';
import { GarbageCollector } from './garbage-collection/garbage-collector.ts';
import { finalizeNamespaces } from './namespaces.ts';
import { NodeLifecycle } from './node-lifecycle.ts';
import { sweepPods } from './pod-sweeper.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { ServedKinds } from './served-kinds.ts';
import { ensureDefaultAccounts, publishRootCa } from './service-accounts.ts';
import { createInformers } from './shared-informers.ts';

/** What the controllers need. */
export interface ControllersOptions {
  /** Acts as a user who may read and write everything they manage (upstream: system:kube-controller-manager). */
  client: KubeClient;
  /** The CA certificate that pods find in `kube-root-ca.crt`, PEM. */
  rootCaPem: string;
  clock?: Clock;
  logger?: Logger;
}

/** The running control loops. */
export interface Controllers {
  /** Ends all loops and watches. */
  close(): Promise<void>;
}

/**
 * Starts scheduler, namespace and service account controllers, garbage collector, pod sweeper and node life-cycle over
 * the API of any server. Failures are logged and tried again; nothing is thrown. Run them once per cluster: they elect
 * no leader.
 */
export function startControllers(options: ControllersOptions): Controllers {
  const { client, rootCaPem, clock = systemClock, logger = silentLogger } = options;
  const informers = createInformers({ client, clock, logger });
  const served = new ServedKinds({ client, clock, logger });
  const context: ControllerContext = { client, clock, logger, informers, served };
  const controllers: Controller[] = [
    new Scheduler(context),
    ensureDefaultAccounts(context),
    publishRootCa(context, rootCaPem),
    finalizeNamespaces(context),
    new GarbageCollector(context),
    sweepPods(context),
    new NodeLifecycle(context),
  ];
  for (const informer of Object.values(informers)) informer.start();
  served.start();
  return {
    async close() {
      await served.close();
      await Promise.all(controllers.map((controller) => controller.close()));
      await Promise.all(Object.values(informers).map((informer) => informer.close()));
    },
  };
}
