import type { RecordFlags } from '../../objects/change-cause.ts';
import type { SelectFlags } from '../../objects/find-objects.ts';
import type { FieldValidation } from '../../objects/manifests/field-validation.ts';

/** Flags of `wherry edit`. */
export interface EditFlags extends SelectFlags, RecordFlags {
  /** Of the file that is edited, and of what is printed; default YAML and a line. */
  output?: 'json' | 'yaml';
  outputPatch?: boolean;
  /** Keep what was saved in an annotation. */
  saveConfig?: boolean;
  subresource?: string;
  validate: FieldValidation;
  windowsLineEndings?: boolean;
  fieldManager: string;
  /** With -o: who manages which field too. */
  showManagedFields?: boolean;
}
