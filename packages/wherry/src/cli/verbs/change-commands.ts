import type { Command } from 'commander';
import { withKubectlErrors } from '../flags/usage-errors.ts';
import { addWait } from './wait-command.ts';

/** kubectl's verbs that change objects that are there, and wait for them. */
export function addChangeCommands(program: Command): Command[] {
  return [addWait(program)].map(withKubectlErrors);
}
