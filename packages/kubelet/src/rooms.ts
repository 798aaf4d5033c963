import { orAborted } from '@wherry/bytes';
import { deadline } from '@wherry/clock';
import { PodBoard } from './board/pod-board.ts';
import { assembleExecution, type Execution } from './execution/assemble.ts';
import { hasReservedGroups, holdReservedGroups } from './execution/cgroups/reserved-groups.ts';
import { takeRuntimesDriver } from './execution/cgroups/runtime-driver.ts';
import { warnOfMachine } from './execution/upkeep/node-warnings.ts';
import type { Ground } from './ground/ground.ts';
import { ResourceRecords } from './ground/resource-records.ts';
import { assembleIntake, type Intake } from './intake/assemble.ts';
import { driverAnswerMs, lastEventsMs } from './limits.ts';
import { assembleObservation, type Observation } from './observation/assemble.ts';
import { assembleReporting, type Reporting } from './reporting/assemble.ts';
import type { EventRecorder } from './reporting/events/recorder.ts';

/** The whole kubelet but its server. Each room knows those before it. */
export interface Rooms {
  ground: Ground;
  board: PodBoard;
  observation: Observation;
  reporting: Reporting;
  execution: Execution;
  intake: Intake;
}

/** Builds every room; nothing runs yet. */
export function buildRooms(ground: Ground): Rooms {
  const board = new PodBoard(new ResourceRecords(ground.paths.allocatedFile, ground.logger));
  const observation = assembleObservation(ground, board);
  const reporting = assembleReporting(ground, board, observation);
  const execution = assembleExecution({ ground, board, observation, reporting });
  const intake = assembleIntake({ ground, board, observation, reporting, execution });
  return { ground, board, observation, reporting, execution, intake };
}

/**
 * Holds the groups of the system and of Kubernetes to what is reserved for them, by the driver that the runtime names. Rejects
 * with ConfigurationError where one can't be held, once the API server was told; such a kubelet does not start.
 */
export async function holdReserves(rooms: Rooms): Promise<void> {
  const { ground, reporting } = rooms;
  const { configuration, groups, cri, clock, logger } = ground;
  if (!hasReservedGroups(configuration)) return;
  await takeRuntimesDriver(groups, { runtime: cri.runtime, logger, timeoutMs: driverAnswerMs });
  try {
    await holdReservedGroups({ ...ground, place: groups, recorder: reporting.recorder });
  } catch (error) {
    using patience = deadline({ clock, timeoutMs: lastEventsMs });
    await orAborted(reporting.recorder.settled(), patience.signal).catch(() => {});
    await endRooms(rooms);
    throw error;
  }
}

async function holdByNewDriver(ground: Ground, recorder: EventRecorder): Promise<void> {
  try {
    await holdReservedGroups({ ...ground, place: ground.groups, recorder });
  } catch (error) {
    ground.logger.error('a group of the system or of Kubernetes is not held to what is reserved for it', {
      error,
    });
  }
}

/** Lets every room begin; the node says that its kubelet is served on that port. Resolves once pods are taken in. */
export async function beginRooms(
  { ground, observation, reporting, execution, intake }: Rooms,
  port: number,
): Promise<void> {
  await Promise.all([execution.csi.load(), execution.managers.registry.start()]);
  execution.evictor.start();
  execution.gatherer?.start();
  reporting.agent.start(port);
  reporting.memoryKills.start();
  execution.managers.claims.begin();
  execution.plugIns.start();
  await execution.managers.podResources.start();
  execution.shutdownWatch?.start();
  await reporting.agent.health.ready;
  // Once the runtime answers: first what runs already, then what should.
  const { groups, cri, logger } = ground;
  const driver = groups.cgroupDriver;
  await takeRuntimesDriver(groups, { runtime: cri.runtime, logger });
  // A runtime that did not answer when the kubelet started: the same groups, by the names and the hands of its driver.
  if (groups.cgroupDriver !== driver) await holdByNewDriver(ground, reporting.recorder);
  intake.loop.start();
  await observation.lifecycle.start();
  for (const source of intake.sources) source.start();
  execution.managers.reconciler.start();
  execution.rotator.start();
  execution.imageCollector.start();
  reporting.agent.refresh();
  warnOfMachine(ground, reporting.recorder);
}

/** Ends every room; containers run on. What was given to pods until now is on the disk then. */
export async function endRooms({ board, observation, reporting, execution, intake }: Rooms): Promise<void> {
  execution.cgroups.close();
  reporting.agent.close();
  reporting.memoryKills.close();
  execution.evictor.close();
  execution.gatherer?.close();
  execution.plugIns.close();
  execution.managers.reconciler.close();
  execution.managers.claims.close();
  await Promise.all([execution.managers.registry.close(), execution.managers.podResources.close()]);
  execution.shutdownWatch?.close();
  execution.rotator.close();
  execution.imageCollector.close();
  await Promise.all(intake.sources.map((source) => source.close()));
  observation.lifecycle.close();
  intake.loop.close();
  reporting.statuses.close();
  execution.probes.close();
  await execution.inputs.close();
  await Promise.all([board.allocations.written(), execution.actuated.written()]);
  reporting.recorder.close();
}
