import type { KubeClient } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import { type Logger, silentLogger } from '@wherry/telemetry';
import { type BalancingMachine, machineLoadBalancer } from './load-balancer/machine-load-balancer.ts';
import { localPathProvisioner } from './local-path/local-path-provisioner.ts';
import type { VolumeFolders } from './local-path/volume-folders.ts';
import { ClusterView } from './machinery/cluster-view.ts';
import type { Controllers } from './start.ts';

/** What a machine has to give. */
export interface MachineOptions {
  /** May read claims, services and nodes, and write volumes, classes, statuses of services and events. */
  client: KubeClient;
  /** Folders for volumes of the class `standard`, which is made where there is none. Default: none are given. */
  folders?: VolumeFolders | undefined;
  /** The address for services of type LoadBalancer. Default: they get none here. */
  balancing?: BalancingMachine | undefined;
  clock?: Clock;
  logger?: Logger;
}

/** Starts what gives the cluster something of this machine. It leads nothing: each machine has its own. */
export function startOnMachine(options: MachineOptions): Controllers {
  const { client, folders, balancing, clock = systemClock, logger = silentLogger } = options;
  const cluster = new ClusterView({ client, rootCaPem: '', clock, logger });
  const definitions = [
    ...(folders ? [localPathProvisioner(folders)] : []),
    ...(balancing ? [machineLoadBalancer(balancing)] : []),
  ];
  const running = definitions.map((definition) => definition.start(cluster));
  return {
    async close() {
      await Promise.all(running.map((controller) => controller.close()));
      await cluster.close();
    },
  };
}
