import { collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { CronJobFlags, DeploymentFlags, JobFlags } from '../../../commands/create/workloads.ts';
import { parseInteger } from '../../flags/options.ts';
import { creating, making } from './creating.ts';

const makers = () => import('../../../commands/create/workloads.ts');

/** `create deployment | job | cronjob`. */
export const addWorkloads = (create: Command): Command[] => [
  addDeployment(create),
  addJob(create),
  addCronJob(create),
];

function addDeployment(create: Command): Command {
  const command = creating(create, 'deployment')
    .alias('deploy')
    .description('create a Deployment')
    .usage('NAME --image=IMAGE [flags] [-- COMMAND [args...]]')
    .option('--image <name>', 'image of a container; may be repeated', collectList)
    .option('-r, --replicas <n>', 'how many pods', parseInteger, 1)
    .option('--port <port>', 'port that the first container listens at', parseInteger, -1);
  return making<DeploymentFlags>(
    command,
    async ({ name, command, flags }) => (await makers()).deploymentObject(name, command, flags),
    { required: ['image'], takesCommand: true },
  );
}

function addJob(create: Command): Command {
  const command = creating(create, 'job')
    .description('create a Job')
    .usage('NAME (--image=IMAGE [-- COMMAND [args...]] | --from=cronjob/NAME) [flags]')
    .option('--image <name>', 'image')
    .option('--from <cronjob/name>', 'as this CronJob makes them, now');
  return making<JobFlags>(command, async (given) => (await makers()).jobOf(given), { takesCommand: true });
}

function addCronJob(create: Command): Command {
  const command = creating(create, 'cronjob')
    .alias('cj')
    .description('create a CronJob')
    .usage('NAME --image=IMAGE --schedule=SCHEDULE [flags] [-- COMMAND [args...]]')
    .option('--image <name>', 'image')
    .option('--schedule <schedule>', "when, such as '0/5 * * * ?'")
    .option('--restart <policy>', 'OnFailure or Never', 'OnFailure');
  return making<CronJobFlags>(
    command,
    async ({ name, command, flags }) => (await makers()).cronJobObject(name, command, flags),
    { required: ['image', 'schedule'], takesCommand: true },
  );
}
