import {
  type LabelMatcher,
  type LabelSelector,
  labelSelectorFrom,
  parseLabelSelector,
  StatusError,
} from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';

/** Reads a label selector of a command line that goes into an object. Throws `CommandError`. */
export const readLabelSelector = (text: string): LabelSelector => orRefused(() => labelSelectorFrom(text));

/** Reads a label selector of a command line that is asked here. Throws `CommandError`. */
export const readLabelMatcher = (text: string): LabelMatcher =>
  orRefused(() => parseLabelSelector(text), `the provided selector ${JSON.stringify(text)} is not valid: `);

function orRefused<T>(read: () => T, prefix = ''): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new CommandError(`${prefix}${error.message}`, { cause: error });
  }
}
