import { collect, collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { SetFlags } from '../../../commands/set/chosen-objects.ts';
import type { SetEnvFlags } from '../../../commands/set/env/env.ts';
import type { SetResourcesFlags } from '../../../commands/set/resources.ts';
import { setting, someObjects } from './setting.ts';

/** `set env | image | resources | serviceaccount`: what pods are made of. */
export const addSetPods = (set: Command): Command[] => [
  addEnv(set),
  addImage(set),
  addResources(set),
  addServiceAccount(set),
];

const withContainers = (command: Command): Command =>
  command.option('-c, --containers <pattern>', 'these containers; * stands for anything', '*');

function addEnv(set: Command): Command {
  return withContainers(setting(set, 'env', { hasRecord: false }))
    .description('set, take away or list environment variables of containers')
    .usage(`${someObjects} KEY=VALUE... KEY-... [flags]`)
    .option('-e, --env <key=value>', 'as the words; - for lines of standard input; may be repeated', collect)
    .option('--from <object>', 'refer to the keys of configmap/NAME or secret/NAME')
    .option('--keys <keys>', 'with --from: to these alone', collectList)
    .option('--prefix <text>', 'in front of the names of what is set')
    .option('--list', 'print variables as they would be, and change nothing')
    .option('--resolve', 'with --list: values in the place of references')
    .option('--no-overwrite', 'refuse to change variables that are there')
    .action(async (words: string[], flags: SetEnvFlags) =>
      (await import('../../../commands/set/env/env.ts')).setEnv(words, flags),
    );
}

function addImage(set: Command): Command {
  return setting(set, 'image')
    .description('give containers other images')
    .usage(`${someObjects} CONTAINER=IMAGE... [flags]`)
    .action(async (words: string[], flags: SetFlags) =>
      (await import('../../../commands/set/image.ts')).setImage(words, flags),
    );
}

function addResources(set: Command): Command {
  return withContainers(setting(set, 'resources'))
    .description('give containers other limits and requests')
    .usage(`${someObjects} (--limits=AMOUNTS | --requests=AMOUNTS) [flags]`)
    .option('--limits <amounts>', 'RESOURCE=QUANTITY,...')
    .option('--requests <amounts>', 'RESOURCE=QUANTITY,...')
    .action(async (words: string[], flags: SetResourcesFlags) =>
      (await import('../../../commands/set/resources.ts')).setResources(words, flags),
    );
}

function addServiceAccount(set: Command): Command {
  return setting(set, 'serviceaccount', { hasSelector: false })
    .alias('sa')
    .description('have pods run as another service account')
    .usage('(TYPE NAME | TYPE/NAME | TYPE --all | -f FILE | -k FOLDER) ACCOUNT [flags]')
    .action(async (words: string[], flags: SetFlags) =>
      (await import('../../../commands/set/service-account.ts')).setServiceAccount(words, flags),
    );
}
