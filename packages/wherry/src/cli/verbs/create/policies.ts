import type { Command } from 'commander';
import type { BudgetFlags, PriorityClassFlags, QuotaFlags } from '../../../commands/create/policies.ts';
import { parseInteger } from '../../flags/options.ts';
import { creating, making } from './creating.ts';

const makers = () => import('../../../commands/create/policies.ts');

/** `create quota | poddisruptionbudget | priorityclass`. */
export const addPolicies = (create: Command): Command[] => [
  addQuota(create),
  addBudget(create),
  addPriorityClass(create),
];

function addQuota(create: Command): Command {
  const command = creating(create, 'quota')
    .alias('resourcequota')
    .description('create a ResourceQuota')
    .usage('NAME [--hard=RESOURCE=QUANTITY,...] [--scopes=SCOPE,...] [flags]')
    .option('--hard <list>', 'the most that there may be, RESOURCE=QUANTITY')
    .option('--scopes <list>', 'what it counts, such as BestEffort');
  return making<QuotaFlags>(command, async ({ name, flags }) => (await makers()).quotaObject(name, flags));
}

function addBudget(create: Command): Command {
  const command = creating(create, 'poddisruptionbudget')
    .alias('pdb')
    .description('create a PodDisruptionBudget')
    .usage('NAME --selector=SELECTOR (--min-available=N | --max-unavailable=N) [flags]')
    .option('--selector <selector>', 'the pods that the label selector finds')
    .option('--min-available <n>', 'how many, or which share, there are at least')
    .option('--max-unavailable <n>', 'how many, or which share, may be missing');
  return making<BudgetFlags>(command, async ({ name, flags }) => (await makers()).budgetObject(name, flags));
}

function addPriorityClass(create: Command): Command {
  const command = creating(create, 'priorityclass')
    .alias('pc')
    .description('create a PriorityClass')
    .usage('NAME --value=N [flags]')
    .option('--value <n>', 'the priority', parseInteger, 0)
    .option('--global-default', 'that of pods that name none')
    .option('--description <text>', 'what it is for')
    .option('--preemption-policy <policy>', 'PreemptLowerPriority or Never', 'PreemptLowerPriority');
  return making<PriorityClassFlags>(command, async ({ name, flags }) =>
    (await makers()).priorityClassObject(name, flags),
  );
}
