import type { Command } from 'commander';
import { withKubectlErrors } from '../flags/usage-errors.ts';
import { addDrain } from './drain-commands.ts';
import { addLabels } from './label-commands.ts';
import { addPatch } from './patch-command.ts';
import { addRollout } from './rollout-commands.ts';
import { addScale } from './scale-command.ts';
import { addWait } from './wait-command.ts';

/** kubectl's verbs that change objects that are there, and wait for them. */
export function addChangeCommands(program: Command): Command[] {
  return [
    addWait(program),
    ...addRollout(program),
    addScale(program),
    addPatch(program),
    ...addLabels(program),
    ...addDrain(program),
  ].map(withKubectlErrors);
}
