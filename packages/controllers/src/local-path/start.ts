import type { KubeClient } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import { type Logger, silentLogger } from '@wherry/telemetry';
import { ClusterView } from '../machinery/cluster-view.ts';
import type { Controllers } from '../start.ts';
import { localPathProvisioner } from './local-path-provisioner.ts';
import type { VolumeFolders } from './volume-folders.ts';

/** What a machine's provisioner needs. */
export interface LocalPathOptions {
  /** May read claims, and write volumes, classes and events. */
  client: KubeClient;
  folders: VolumeFolders;
  clock?: Clock;
  logger?: Logger;
}

/**
 * Starts the provisioner of one machine's folders, and makes the storage class `standard` where there is none. It leads
 * nothing: each machine has its own.
 */
export function startLocalPathProvisioner(options: LocalPathOptions): Controllers {
  const { client, folders, clock = systemClock, logger = silentLogger } = options;
  const cluster = new ClusterView({ client, rootCaPem: '', clock, logger });
  const running = localPathProvisioner(folders).start(cluster);
  return {
    async close() {
      await running.close();
      await cluster.close();
    },
  };
}
