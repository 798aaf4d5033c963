import type { Managers } from '../managers/assemble.ts';
import type { RoomsBelow } from '../rooms-below.ts';
import { CsiDrivers } from '../volumes/csi/csi-drivers.ts';
import { CsiLayout } from '../volumes/csi/csi-layout.ts';
import { CsiVolumes } from '../volumes/csi/csi-volumes.ts';
import { csiFigures } from '../volumes/csi-figures.ts';
import type { VolumeTimes } from '../volumes/volume-times.ts';
import { claimPlugIns } from './claim-plug-ins.ts';
import { CsiDriverReports } from './csi-driver-reports.ts';
import { CsiNodeObject } from './csi-node-object.ts';
import { csiPlugIns } from './csi-plug-ins.ts';
import { devicePlugIns } from './device-plug-ins.ts';
import { plugInGauge } from './plug-in-gauge.ts';
import { PlugInWatcher } from './plug-in-watcher.ts';

/** Builds what takes plug-ins in, those of devices and of claims among them, and the volumes of those that are CSI drivers. */
export function assemblePlugIns(
  rooms: RoomsBelow,
  { devices, claims }: Managers,
  times: VolumeTimes,
): { csi: CsiVolumes; plugIns: PlugInWatcher } {
  const { ground, reporting } = rooms;
  const { client, clock, logger, nodeName, paths, host, metrics } = ground;
  const { agent, recorder } = reporting;
  const drivers = new CsiDrivers(csiFigures(metrics, clock));
  const object = client && new CsiNodeObject({ client, clock, nodeName, node: () => agent.node });
  const cluster = client && object && { client, object };
  const reports = new CsiDriverReports({ drivers, cluster, clock, logger });
  const csi = new CsiVolumes({
    ...{ drivers, client, clock, logger, recorder, nodeName, times },
    layout: new CsiLayout(paths.rootDir),
    isSelinuxEnforcing: host.isSelinuxEnforcing,
    onUse: (names) => {
      agent.volumesInUse = names;
    },
    saysInUse: (names, signal) => agent.saysInUse(names, signal),
    onFull: (name) => void reports.retell(name),
  });
  const handlers = [csiPlugIns(drivers, reports), devicePlugIns(devices), claimPlugIns(claims.drivers)];
  const plugIns = new PlugInWatcher({ folder: paths.plugInsDir, handlers, clock, logger });
  plugInGauge(metrics, plugIns);
  return { csi, plugIns };
}
