import { collect, collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { BindingFlags } from '../../../commands/create/bindings.ts';
import type { RoleFlags } from '../../../commands/create/roles.ts';
import { withSubjects } from '../../flags/subject-flags.ts';
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

const binding = (create: Command, kind: string): Command =>
  withSubjects(
    creating(create, kind, { hasUserFlag: false }).option('--clusterrole <name>', 'the cluster role'),
  );

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
