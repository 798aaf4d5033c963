import type { Cascade } from '../../objects/deletion/cascade.ts';
import type { ManifestFlags } from '../../objects/given/each-manifest.ts';
import type { FieldValidation } from '../../objects/manifests/field-validation.ts';
import type { OutcomeFlags } from '../../objects/outcome.ts';

/** Flags of `wherry apply`. */
export interface ApplyFlags extends ManifestFlags, OutcomeFlags {
  /** True and undefined apply at the server; undefined tells what became of each object. False is client-side apply. */
  serverSide?: boolean;
  /** At the server: takes fields over from other managers. */
  forceConflicts?: boolean;
  /** Client-side: false refuses to undo what others have changed. */
  overwrite?: boolean;
  /** At the server. */
  subresource?: string;
  /** Default: one for each way to apply. */
  fieldManager?: string;
  validate: FieldValidation;
  /** Client-side: deletes what was applied before and is not now, of what the selector finds, or of all. */
  prune?: boolean;
  /** Of this set, `[RESOURCE[.GROUP]/]NAME`, however it was applied. */
  applyset?: string;
  all?: boolean;
  /** Of these kinds, `GROUP/VERSION/KIND`. */
  pruneAllowlist?: string[];
  /** Client-side: what can't be changed is deleted and created anew; those down to `timeout` say how, and how `prune` deletes. */
  force?: boolean;
  cascade: Cascade;
  /** Seconds; below 0 for each object's own. */
  gracePeriod: number;
  wait?: boolean;
  /** Milliseconds; 0 for a bound in `limits`. */
  timeout: number;
}
