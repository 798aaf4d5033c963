import type { KubeFlags } from '../../kube/flags.ts';
import type { Cascade } from '../../objects/deletion/cascade.ts';
import type { FieldValidation } from '../../objects/manifests/field-validation.ts';
import type { OutcomeFlags } from '../../objects/outcome.ts';

/** Flags of `wherry replace`. */
export interface ReplaceFlags extends KubeFlags, OutcomeFlags {
  filename: string[];
  recursive?: boolean;
  /** Deletes what is there and creates it anew; those down to `timeout` say how. */
  force?: boolean;
  cascade: Cascade;
  /** Seconds; below 0 for each object's own. */
  gracePeriod: number;
  wait?: boolean;
  /** Milliseconds; 0 for the bounds in `limits`. */
  timeout: number;
  raw?: string;
  subresource?: string;
  fieldManager: string;
  saveConfig?: boolean;
  validate: FieldValidation;
}
