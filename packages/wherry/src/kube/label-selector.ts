import { type LabelSelector, labelSelectorFrom, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';

/** Reads a label selector of a command line that goes into an object. Throws `CommandError`. */
export function readLabelSelector(text: string): LabelSelector {
  try {
    return labelSelectorFrom(text);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}
