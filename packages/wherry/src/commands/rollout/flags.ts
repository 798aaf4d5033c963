import type { SelectFlags } from '../../objects/find-objects.ts';
import type { OutcomeFlags } from '../../objects/outcome.ts';

/** Flags of the commands below `wherry rollout`. */
export interface RolloutFlags extends SelectFlags, OutcomeFlags {
  fieldManager?: string;
  /** `history`, `status`: of this revision; 0 for the last. */
  revision?: number;
}
