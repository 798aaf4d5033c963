import type { NodeRoom } from './cluster/node-room.ts';
import type { FilterRun } from './filter-run.ts';
import type { Refusal } from './filters/filter-plugin.ts';

/** No node takes the pod. */
export interface NoPlace {
  message: string;
  run: FilterRun;
  /** What was said of each node that was asked. */
  refusals: ReadonlyMap<NodeRoom, Refusal>;
}

/** Where a pod goes, or why it goes nowhere. */
export type Place = { room: NodeRoom } | NoPlace;
