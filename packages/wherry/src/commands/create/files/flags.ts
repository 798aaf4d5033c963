import type { KubeFlags } from '../../../kube/flags.ts';
import type { FieldValidation } from '../../../objects/manifests/field-validation.ts';
import type { OutcomeFlags } from '../../../objects/outcome.ts';

/** Flags of `wherry create -f`. */
export interface CreateFlags extends KubeFlags, OutcomeFlags {
  filename: string[];
  recursive?: boolean;
  /** Of the objects of the files those that it finds. */
  selector?: string;
  /** Each object is opened in an editor first. */
  edit?: boolean;
  windowsLineEndings?: boolean;
  /** The path of the server that the file is sent to as it is. */
  raw?: string;
  /** For client-side apply. */
  saveConfig?: boolean;
  validate: FieldValidation;
  fieldManager: string;
}
