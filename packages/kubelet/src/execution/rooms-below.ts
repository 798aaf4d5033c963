import type { PodBoard } from '../board/pod-board.ts';
import type { Ground } from '../ground/ground.ts';
import type { Observation } from '../observation/assemble.ts';
import type { Reporting } from '../reporting/assemble.ts';

/** The rooms that execution stands on. */
export interface RoomsBelow {
  ground: Ground;
  board: PodBoard;
  observation: Observation;
  reporting: Reporting;
}
