import { runRoleProgram } from '@wherry/node/program';
import { addRoleCommands, type RoleRunners } from '@wherry/node/roles';
import { Command } from 'commander';
import { readVersion } from '../version.ts';
import { addCompletionCommands } from './completion-commands.ts';
import { addConsole } from './console-command.ts';
import { addCriCommands } from './cri-commands.ts';
import { addExamples } from './examples.ts';
import { fromGoFlags } from './flags/go-flags.ts';
import { withKubeFlags } from './flags/kube-flags.ts';
import { addImageCommands } from './image-commands.ts';
import { addNodeCommands } from './node-commands.ts';
import { addObjectCommands } from './object-commands.ts';
import { addProxy } from './proxy-command.ts';
import { addServiceCommands } from './service-commands.ts';
import { addSessions } from './sessions-command.ts';
import { addStreamCommands } from './stream-commands.ts';
import { withCommandHints } from './unknown-commands.ts';
import { addChangeCommands } from './verbs/change-commands.ts';
import { addConfig } from './verbs/config/config-commands.ts';

/** Runs one command line, as in `process.argv`. Throws `CommandError` and what commands throw. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const [node = '', script = '', ...words] = argv;
  const { program, kubeCommands: commands } = createProgram();
  const globalFlags = withKubeFlags(new Command()).options;
  await program.parseAsync([node, script, ...fromGoFlags({ words, commands, globalFlags })]);
}

/** The whole command line. Each command loads its code only when it runs. */
export function createProgram(): { program: Command; kubeCommands: Command[] } {
  const program = new Command('wherry')
    .description('A complete Kubernetes node in TypeScript.')
    .version(readVersion())
    .enablePositionalOptions();
  addNodeCommands(program);
  addServiceCommands(program);
  addImageCommands(program);
  const kubeCommands = [
    ...addStreamCommands(program),
    addSessions(program),
    ...addObjectCommands(program),
    ...addChangeCommands(program),
    ...addConfig(program),
    addConsole(program),
    addProxy(program),
  ];
  addCriCommands(program);
  addRoleCommands(program, nodeProgram);
  addCompletionCommands(program);
  addExamples(program);
  withCommandHints(program);
  return { program, kubeCommands };
}

/** The processes of a node have a program of their own, which reads the same command line. */
const nodeProgram: RoleRunners = {
  apiserver: runRoleProgram,
  controllers: runRoleProgram,
  network: runRoleProgram,
  kubelet: runRoleProgram,
  runtime: runRoleProgram,
  monitor: runRoleProgram,
};
