import type { Command } from 'commander';
import { withKubectlErrors } from '../flags/usage-errors.ts';
import { addAuth } from './auth-commands.ts';
import { addAutoscale } from './autoscale-command.ts';
import { addCertificate } from './certificate-commands.ts';
import { addDrain } from './drain-commands.ts';
import { addExpose } from './expose-command.ts';
import { addLabels } from './label-commands.ts';
import { addDiff } from './manifests/diff-command.ts';
import { addEdit } from './manifests/edit-command.ts';
import { addReplace } from './manifests/replace-command.ts';
import { addPatch } from './patch-command.ts';
import { addRollout } from './rollout-commands.ts';
import { addScale } from './scale-command.ts';
import { addSet } from './set/set-commands.ts';
import { addTaint } from './taint-command.ts';
import { addWait } from './wait-command.ts';

/** kubectl's verbs about objects that are there: changes, services for them, what may be done to them, and waiting. */
export function addChangeCommands(program: Command): Command[] {
  return [
    addWait(program),
    ...addAuth(program),
    ...addCertificate(program),
    ...addRollout(program),
    addScale(program),
    addAutoscale(program),
    addExpose(program),
    addPatch(program),
    addDiff(program),
    addEdit(program),
    addReplace(program),
    ...addSet(program),
    ...addLabels(program),
    ...addDrain(program),
    addTaint(program),
  ].map(withKubectlErrors);
}
