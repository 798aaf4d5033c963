import { Option } from 'commander';
import { CommandError } from '../../errors.ts';
import { parseDuration } from './duration.ts';
import { parseInteger } from './options.ts';

/** `--grace-period SECONDS`. */
export const gracePeriodOption = (): Option =>
  new Option('--grace-period <seconds>', "time to end; below 0 for the object's own")
    .argParser(parseInteger)
    .default(-1);

const cascades = ['background', 'foreground', 'orphan'];

/** `--cascade HOW`. */
export function cascadeOption(): Option {
  const option = new Option('--cascade <how>', 'what becomes of dependents')
    .argParser((text) => {
      if (cascades.includes(text)) return text;
      const words = 'Must be "background", "foreground", or "orphan"';
      throw new CommandError(`invalid cascade value (${text}). ${words}`);
    })
    .default('background');
  // For the help and for completion.
  option.argChoices = cascades;
  return option;
}

/** `--timeout DURATION`; what 0 is for, differs. */
export const deletionTimeoutOption = (ofZero: string): Option =>
  new Option('--timeout <duration>', `how long to wait; 0 for ${ofZero}`)
    .argParser(parseDuration)
    .default(0, '0');
