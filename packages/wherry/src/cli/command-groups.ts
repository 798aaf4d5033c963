import { runRoleProgram } from '@wherry/node/program';
import { addRoleCommands, type RoleRunners } from '@wherry/node/roles';
import type { Command } from 'commander';
import { addCompletionCommands } from './completion-commands.ts';
import { addConsole } from './console-command.ts';
import { addCriCommands } from './cri-commands.ts';
import { withKubectlErrors } from './flags/usage-errors.ts';
import { addImageCommands } from './image-commands.ts';
import { addEnvtestCommand } from './node/envtest-command.ts';
import { addNodeCommands } from './node/node-commands.ts';
import { addServiceCommands } from './node/service-commands.ts';
import { addStoreCommands } from './node/store-commands.ts';
import { addObjectCommands } from './object-commands.ts';
import { addProxy } from './proxy-command.ts';
import { addSessions } from './sessions-command.ts';
import { addStreamCommands } from './stream-commands.ts';
import { addChangeCommands } from './verbs/change-commands.ts';
import { addConfig } from './verbs/config/config-commands.ts';
import { addKuberc } from './verbs/kuberc/kuberc-commands.ts';
import { addOptions } from './verbs/looking/options-command.ts';
import { addKustomize } from './verbs/manifests/kustomize-command.ts';
import { addPlugin } from './verbs/plugins/plugin-commands.ts';

/** Commands that one function adds. */
export interface CommandGroup {
  /** What they are called: a command line with one of these words needs no other group. */
  names: readonly string[];
  /** They are the node's own, and no user's preferences are for them. */
  isOwn?: boolean;
  /** Gives back those that speak to a cluster, and take flags as kubectl does. */
  add: (program: Command) => Command[];
}

/** The processes of a node have a program of their own, which reads the same command line. */
const nodeProgram: RoleRunners = {
  apiserver: runRoleProgram,
  controllers: runRoleProgram,
  scheduler: runRoleProgram,
  network: runRoleProgram,
  kubelet: runRoleProgram,
  runtime: runRoleProgram,
  monitor: runRoleProgram,
};

/** Commands of the node itself, which take flags as commander does. */
const own = (add: (program: Command) => void) => ({
  isOwn: true,
  add(program: Command): Command[] {
    add(program);
    return [];
  },
});

/** All commands, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    names: ['up', 'down', '__kubeconfig', 'kubeconfig', 'status', 'doctor'],
    ...own(addNodeCommands),
  },
  { names: ['service'], ...own(addServiceCommands) },
  { names: ['store'], ...own(addStoreCommands) },
  { names: ['envtest'], ...own(addEnvtestCommand) },
  { names: ['image'], ...own(addImageCommands) },
  { names: ['exec', 'attach', 'port-forward', 'logs', 'cp', 'debug'], add: addStreamCommands },
  { names: ['sessions'], add: (program) => [addSessions(program)] },
  {
    names: [
      ...['get', 'describe', 'apply', 'create', 'delete', 'run', 'events', 'explain', 'top'],
      ...['cluster-info', 'api-resources', 'api-versions', 'version'],
    ],
    add: addObjectCommands,
  },
  {
    names: [
      ...['wait', 'auth', 'certificate', 'rollout', 'scale', 'autoscale', 'expose', 'patch', 'diff', 'edit'],
      ...['replace', 'set', 'label', 'annotate', 'cordon', 'uncordon', 'drain', 'taint'],
    ],
    add: addChangeCommands,
  },
  { names: ['kustomize'], add: (program) => [withKubectlErrors(addKustomize(program))] },
  { names: ['config'], add: addConfig },
  { names: ['kuberc'], add: addKuberc },
  { names: ['options'], add: (program) => [addOptions(program)] },
  { names: ['console'], add: (program) => [addConsole(program)] },
  { names: ['proxy'], add: (program) => [addProxy(program)] },
  { names: ['cri'], ...own(addCriCommands) },
  {
    names: Object.keys(nodeProgram),
    ...own((program) => addRoleCommands(program, nodeProgram)),
  },
  // These know all of them.
  { names: [], add: addPlugin },
  { names: [], ...own(addCompletionCommands) },
];

/** What the node's own commands are called. */
export const ownCommands: readonly string[] = [
  ...commandGroups.flatMap(({ names, isOwn }) => (isOwn ? names : [])),
  ...['completion', '__complete'],
];
