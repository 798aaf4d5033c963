import { collect, collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { HashFlags } from '../../../commands/create/append-hash.ts';
import type { KeySourceFlags } from '../../../commands/create/key-sources.ts';
import { creating, making } from './creating.ts';

const makers = () => import('../../../commands/create/objects.ts');

/** `create configmap | namespace | serviceaccount`. */
export function addPlainKinds(create: Command): Command[] {
  const configMap = withKeySources(creating(create, 'configmap').alias('cm'))
    .description('create a ConfigMap')
    .usage('NAME [--from-literal=KEY=VALUE] [--from-file=[KEY=]PATH] [--from-env-file=PATH] [flags]');
  const namespace = creating(create, 'namespace').alias('ns').description('create a namespace');
  const account = creating(create, 'serviceaccount').alias('sa').description('create a service account');
  return [
    making<KeySourceFlags & HashFlags>(configMap, async ({ name, flags }) =>
      (await makers()).configMapObject(name, flags),
    ),
    making(namespace, async ({ name }) => (await makers()).namespaceObject(name)),
    making(account, async ({ name }) => (await makers()).serviceAccountObject(name)),
  ];
}

/** What fills a ConfigMap or a Secret. */
export const withKeySources = (command: Command): Command =>
  withHashFlag(command)
    .option('--from-literal <key=value>', 'a key and its value; may be repeated', collect)
    .option('--from-file <[key=]path>', 'a file, or those of a folder; may be repeated', collectList)
    .option('--from-env-file <path>', 'a file of lines KEY=VALUE; may be repeated', collectList);

/** `--append-hash`, of what a ConfigMap or a Secret holds. */
export const withHashFlag = (command: Command): Command =>
  command.option('--append-hash', 'let its name end with a hash of its content');
