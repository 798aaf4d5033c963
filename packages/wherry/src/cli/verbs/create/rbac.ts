import { collect, collectList } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { BindingFlags } from '../../../commands/create/bindings.ts';
import type { RoleFlags } from '../../../commands/create/roles.ts';
import { creating, making } from './creating.ts';

/** `create role | clusterrole | rolebinding | clusterrolebinding`. */
export const addRbac = (create: Command): Command[] => [
  addRole(create),
  addClusterRole(create),
  addRoleBinding(create),
  addClusterRoleBinding(create),
];

const withRule = (command: Command): Command =>
  command
    .option('--verb <verb>', 'what may be done; may be repeated', collectList)
    .option('--resource <type>', 'TYPE[.GROUP][/SUBRESOURCE], to these; may be repeated', collectList)
    .option('--resource-name <name>', 'to the objects of this name alone; may be repeated', collect);

const roles = () => import('../../../commands/create/roles.ts');

function addRole(create: Command): Command {
  const command = withRule(creating(create, 'role'))
    .description('create a role of one namespace')
    .usage('NAME --verb=VERB --resource=TYPE [flags]');
  return making<RoleFlags>(command, async (given) => (await roles()).roleObject(given));
}

function addClusterRole(create: Command): Command {
  const command = withRule(creating(create, 'clusterrole'))
    .description('create a role of the whole cluster')
    .usage(
      'NAME (--verb=VERB (--resource=TYPE | --non-resource-url=PATH) | --aggregation-rule=LABELS) [flags]',
    )
    .option('--non-resource-url <path>', 'at this path of the server; may be repeated', collectList)
    .option('--aggregation-rule <labels>', 'what the cluster roles may that have NAME=value', collectList);
  return making<RoleFlags>(command, async (given) => (await roles()).clusterRoleObject(given));
}

/** In the place of the flag of the kubeconfig's user, as in kubectl. */
class SubjectUserOption extends Option {
  override attributeName(): string {
    return 'subjectUsers';
  }
}

const binding = (create: Command, kind: string): Command =>
  creating(create, kind, { hasUserFlag: false })
    .option('--clusterrole <name>', 'the cluster role')
    .addOption(new SubjectUserOption('--user <name>', 'a user; may be repeated').argParser(collect))
    .option('--group <name>', 'a group; may be repeated', collect)
    .option('--serviceaccount <namespace:name>', 'a service account; may be repeated', collect);

const bindings = () => import('../../../commands/create/bindings.ts');

function addRoleBinding(create: Command): Command {
  const command = binding(create, 'rolebinding')
    .description('let somebody do in a namespace what a role says')
    .usage('NAME (--role=NAME | --clusterrole=NAME) [--user=NAME] [--group=NAME] [flags]')
    .option('--role <name>', 'the role');
  return making<BindingFlags>(command, async ({ name, flags }) =>
    (await bindings()).roleBindingObject(name, flags),
  );
}

function addClusterRoleBinding(create: Command): Command {
  const command = binding(create, 'clusterrolebinding')
    .description('let somebody do everywhere what a cluster role says')
    .usage('NAME --clusterrole=NAME [--user=NAME] [--group=NAME] [flags]');
  return making<BindingFlags>(
    command,
    async ({ name, flags }) => (await bindings()).clusterRoleBindingObject(name, flags),
    { required: ['clusterrole'] },
  );
}
