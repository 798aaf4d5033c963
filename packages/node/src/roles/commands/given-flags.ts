import { Command, CommanderError } from 'commander';
import { NodeError } from '../../errors.ts';
import type { GivenFlags } from '../../layout/settings.ts';
import { withReason } from '../flags/apiserver-flags.ts';
import { withManagerReason } from '../flags/manager/absent-manager-flags.ts';
import { addRoleCommands } from './role-commands.ts';

/** The processes of a node that take flags beyond those that it gives them. */
export type FlaggedRole = 'apiserver' | 'controllers';

const isOwn = 'the node decides it itself';
/** Flags that a node gives a process itself, by how they begin, with what says the same where something does. */
const own: Record<FlaggedRole, readonly (readonly [begin: string, reason: string])[]> = {
  apiserver: [
    ['data-dir', isOwn],
    ['bind-address', isOwn],
    ['secure-port', 'ports.api says it'],
    ['advertise-address', isOwn],
    ['service-cluster-ip-range', 'podCidr says which families services have'],
    ['tls-cert-file', "the node's own authority signs it"],
    ['tls-private-key-file', "the node's own authority signs its certificate"],
    ['cert-dir', "the node's own authority signs its certificate"],
    ['client-ca-file', "the node's own authority signs certificates of clients"],
    ['service-account-key-file', isOwn],
    ['service-account-signing-key-file', isOwn],
    ['kubelet-', isOwn],
    ['proxy-client-', isOwn],
    ['requestheader-', isOwn],
    ['enable-bootstrap-token-auth', 'it is on: nodes join by them'],
    ['local-node', isOwn],
    ['etcd-', 'a node keeps its objects in its own folder; wherry store copy brings them to an etcd'],
    ['storage-backend', 'a node keeps its objects in its own folder'],
    ['tracing-config-file', 'tracing says it'],
    ['runtime-config', 'runtimeConfig says it'],
    ['oidc-', 'oidc says it'],
  ],
  controllers: [
    ['kubeconfig', isOwn],
    ['scheduler-kubeconfig', isOwn],
    ['root-ca-file', isOwn],
    ['service-account-private-key-file', isOwn],
    ['cluster-signing-', "the node's own authorities sign"],
    ['local-path-', isOwn],
    ['load-balancer', 'loadBalancer says it'],
  ],
};

/** What is said of a flag that is not known. */
const reasonOf: Record<FlaggedRole, (text: string) => string> = {
  apiserver: withReason,
  controllers: withManagerReason,
};

/** A command that fails instead of ending the process, and tells nobody. */
function commandOf(role: FlaggedRole): Command {
  const program = new Command();
  const nothing = () => Promise.resolve();
  addRoleCommands(program, {
    ...{ apiserver: nothing, controllers: nothing, scheduler: nothing, network: nothing },
    ...{ kubelet: nothing, runtime: nothing, monitor: nothing },
  });
  const command = program.commands.find((each) => each.name() === role);
  if (!command) throw new Error(`no command "${role}"`);
  return command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
}

/** Flags as a command line has them. */
export const writtenFlags = (given: GivenFlags = {}): string[] =>
  Object.entries(given).flatMap(([name, values]) => values.map((value) => `--${name}=${value}`));

/** What is wrong with flags that somebody gives a process of a node, if anything. */
export function givenFlagsProblem(role: FlaggedRole, given: GivenFlags): string | undefined {
  for (const name of Object.keys(given)) {
    const [, reason] = own[role].find(([begin]) => name.startsWith(begin)) ?? [];
    if (reason !== undefined) return `--${name} can't be set: ${reason}`;
  }
  try {
    const { operands, unknown } = commandOf(role).parseOptions(writtenFlags(given));
    const [first] = [...unknown, ...operands];
    return first && saidOf(reasonOf[role](`error: unknown option '${first.split('=', 1)[0]}'`));
  } catch (error) {
    if (error instanceof CommanderError) return saidOf(error.message);
    throw error;
  }
}

/** Throws `NodeError` `bad-settings` for flags that the process does not take from others. */
export function checkGivenFlags(role: FlaggedRole, given: GivenFlags = {}): void {
  const problem = givenFlagsProblem(role, given);
  if (problem !== undefined) throw new NodeError('bad-settings', `flags of the ${role}: ${problem}`);
}

const saidOf = (text: string) => text.replace(/^error: /, '').trimEnd();

/** Whether a flag's value is the path of a file or folder. */
export const isPathFlag = (role: FlaggedRole, name: string): boolean =>
  commandOf(role).options.some(({ long, flags }) => long === `--${name}` && /<(file|dir|path)>/.test(flags));

/** Flags as the process is handed them, by their names in its code. Throws `NodeError` `bad-settings` for those that are wrong. */
export function readGivenFlags(role: FlaggedRole, given: GivenFlags): Record<string, unknown> {
  checkGivenFlags(role, given);
  const command = commandOf(role);
  command.parseOptions(writtenFlags(given));
  const said = Object.entries(command.opts()).filter(
    ([name]) => command.getOptionValueSource(name) === 'cli',
  );
  return Object.fromEntries(said);
}
