import { CommandError } from '../../errors.ts';
import type { OutputFormat } from '../../output/output-format.ts';

/** Of a file that an editor opens. */
export type EditedForm = 'json' | 'yaml';

/**
 * The form of the file where what comes of it is printed as `output` says: the same, or undefined where that is a line, or a template
 * without `-o`. Throws `CommandError` for one in which nothing can be edited.
 */
export function editedForm(output: OutputFormat | undefined): EditedForm | undefined {
  if (output === undefined || output === 'json' || output === 'yaml') return output;
  const form = typeof output === 'object' ? output.form : output;
  if (form === undefined) return undefined;
  throw new CommandError(
    `unable to match a printer suitable for the output format ${JSON.stringify(form)}, allowed formats are: json,yaml`,
  );
}
