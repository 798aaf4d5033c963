import { PodBoard } from './board/pod-board.ts';
import { assembleExecution, type Execution } from './execution/assemble.ts';
import type { Ground } from './ground/ground.ts';
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
  const board = new PodBoard();
  const observation = assembleObservation(ground, board);
  const reporting = assembleReporting(ground, board, observation);
  const execution = assembleExecution({ ground, board, observation, reporting });
  const intake = assembleIntake({ ground, board, observation, reporting, execution });
  return { ground, board, observation, reporting, execution, intake };
}
