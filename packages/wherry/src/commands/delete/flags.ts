import type { Cascade } from '../../objects/deletion/cascade.ts';
import type { SelectFlags } from '../../objects/find-objects.ts';
import type { DryRun } from '../../objects/outcome.ts';
import type { OutputFormat } from '../../output/output-format.ts';

/** Flags of `wherry delete`. */
export interface DeleteFlags extends SelectFlags {
  /** Seconds; below 0 for each object's own. */
  gracePeriod: number;
  now?: boolean;
  force?: boolean;
  cascade: Cascade;
  ignoreNotFound?: boolean;
  /** Asks before anything is deleted. */
  interactive?: boolean;
  dryRun: DryRun;
  wait: boolean;
  /** Milliseconds; 0 for as long as it takes. */
  timeout: number;
  output?: OutputFormat;
  /** A path of the server, in place of objects. */
  raw?: string;
}
