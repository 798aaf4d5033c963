/** Which credential plugins may run (upstream: client-go's exec plugin, in whose words it is said). */
import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join, posix } from 'node:path';

/** What whoever runs a command lets kubeconfigs start. */
export interface PluginPolicy {
  /** `AllowAll` (also ''), `DenyAll` or `Allowlist`. */
  policy: string;
  /** With `Allowlist` alone, and there it has to be: programs by their name on the PATH, or by their path. */
  allowlist?: readonly string[] | undefined;
}

/** What is wrong with a policy; undefined where it makes sense. */
export function checkPluginPolicy({ policy, allowlist }: PluginPolicy): string | undefined {
  if (['', 'AllowAll', 'DenyAll'].includes(policy))
    return allowlist
      ? `misconfigured credential plugin allowlist: plugin policy is "${policy}" but allowlist is non-nil`
      : undefined;
  if (policy !== 'Allowlist') return `unknown plugin policy: ${JSON.stringify(policy)}`;
  const set = 'credential plugin policy set to "Allowlist", but allowlist is';
  if (!allowlist) return `${set} unspecified`;
  if (allowlist.length === 0) return `${set} empty; use "DenyAll" policy instead`;
  for (const [index, entry] of allowlist.entries()) {
    if (entry === '') return `misconfigured credential plugin allowlist: empty allowlist entry #${index + 1}`;
    const clean = posix.normalize(entry).replace(/(?<=.)\/$/, '');
    if (clean !== entry)
      return `non-normalized file path: ${JSON.stringify(entry)} vs ${JSON.stringify(clean)}`;
  }
  return undefined;
}

/**
 * The program to run for a plugin's command: by this process's PATH, whatever PATH the plugin is to have, since that is its kubeconfig's
 * to say. Throws `Error` where the policy has it not.
 */
export function permittedCommand(
  command: string,
  { policy, allowlist = [] }: PluginPolicy,
  environment: NodeJS.ProcessEnv,
): string {
  const problem = checkPluginPolicy({ policy, allowlist: policy === 'Allowlist' ? allowlist : undefined });
  if (problem !== undefined) throw new Error(problem);
  if (policy === 'DenyAll')
    throw new Error(`plugin ${JSON.stringify(command)} not allowed: policy set to "DenyAll"`);
  const path = lookPath(command, environment);
  if (policy !== 'Allowlist') return path ?? command;
  if (path === undefined)
    throw new Error(
      `plugin path ${JSON.stringify(command)} cannot be resolved for credential plugin allowlist check: ${notFound(command)}`,
    );
  const isPermitted = allowlist.some(
    (entry) =>
      entry === path || (basename(entry) === basename(path) && lookPath(entry, environment) === path),
  );
  if (isPermitted) return path;
  throw new Error(`plugin path ${JSON.stringify(path)} is not permitted by the credential plugin allowlist`);
}

const notFound = (command: string) =>
  command.includes('/')
    ? `exec: ${JSON.stringify(command)}: no such file or directory`
    : `exec: ${JSON.stringify(command)}: executable file not found in $PATH`;

/** The file that a name on the PATH means; a path means itself. Undefined for none that may be run. */
function lookPath(command: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (command.includes('/')) return isProgram(command) ? command : undefined;
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, command)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
