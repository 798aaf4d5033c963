import type { RecordFlags } from '../../objects/change-cause.ts';
import type { SelectFlags } from '../../objects/find-objects.ts';
import type { FieldValidation } from '../../objects/manifests/field-validation.ts';
import type { OutputFormat } from '../../output/output-format.ts';
import type { editedForm } from './edited-form.ts';

/** Flags of `wherry edit`. */
export interface EditFlags extends SelectFlags, RecordFlags {
  /** Of what is printed, default a line; and of the file that is edited, where {@link editedForm} finds one for it. */
  output?: OutputFormat;
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
