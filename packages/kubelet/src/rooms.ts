import { PodBoard } from './board/pod-board.ts';
import { assembleExecution, type Execution } from './execution/assemble.ts';
import { takeRuntimesDriver } from './execution/cgroups/runtime-driver.ts';
import { warnOfMachine } from './execution/upkeep/node-warnings.ts';
import type { Ground } from './ground/ground.ts';
import { ResourceRecords } from './ground/resource-records.ts';
import { assembleIntake, type Intake } from './intake/assemble.ts';
import { assembleObservation, type Observation } from './observation/assemble.ts';
import { assembleReporting, type Reporting } from './reporting/assemble.ts';

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

/** Lets every room begin; the node says that its kubelet is served on that port. Resolves once pods are taken in. */
export async function beginRooms(
  { ground, observation, reporting, execution, intake }: Rooms,
  port: number,
): Promise<void> {
  await Promise.all([execution.csi.load(), execution.managers.registry.start()]);
  execution.evictor.start();
  reporting.agent.start(port);
  reporting.memoryKills.start();
  execution.managers.claims.begin();
  execution.plugIns.start();
  await execution.managers.podResources.start();
  execution.shutdownWatch?.start();
  await reporting.agent.health.ready;
  // Once the runtime answers: first what runs already, then what should.
  const { groups, cri, logger } = ground;
  await takeRuntimesDriver(groups, { runtime: cri.runtime, logger });
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
