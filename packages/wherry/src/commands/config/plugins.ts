import { CommandError } from '../../errors.ts';
import type { Fields } from '../../kubeconfig/document.ts';
import { execFields } from '../../kubeconfig/entry-fields.ts';

/** The flags about a program that prints credentials. */
export interface ExecFlags {
  execCommand?: string;
  execApiVersion?: string;
  /** In the place of those that are there. */
  execArg?: string[];
  /** `NAME=VALUE`, or `NAME-` for one that goes. */
  execEnv?: string[];
  execInteractiveMode?: string;
  execProvideClusterInfo?: boolean;
}

/** The flags about what was there before such programs. */
export interface ProviderFlags {
  authProvider?: string;
  /** As those of {@link ExecFlags.execEnv}. */
  authProviderArg?: string[];
}

/** What is set by name, and what is taken away. */
interface Pairs {
  set: Map<string, string>;
  gone: Set<string>;
}

/** Reads `NAME=VALUE` and `NAME-`. Throws `CommandError` that names what is neither. */
function readPairs(words: readonly string[], flag: string): Pairs {
  const pairs: Pairs = { set: new Map(), gone: new Set() };
  const wrong: string[] = [];
  for (const word of words) {
    const at = word.indexOf('=');
    if (at > 0) pairs.set.set(word.slice(0, at), word.slice(at + 1));
    else if (at === -1 && /.-$/s.test(word)) pairs.gone.add(word.slice(0, -1));
    else wrong.push(word);
  }
  if (wrong.length > 0) throw new CommandError(`invalid ${flag} format: ${wrong.join(', ')}`);
  return pairs;
}

const interactiveModes = ['IfAvailable', 'Never', 'Always'];

/** What the flags make of a user's `exec`; without a command, there or given, they do nothing, as in kubectl. */
export function execChanges({ exec }: Fields, flags: ExecFlags): Fields {
  const { execCommand, execApiVersion, execArg, execEnv = [], execInteractiveMode: mode } = flags;
  if (mode !== undefined && !interactiveModes.includes(mode))
    throw new CommandError('invalid interactive mode type, can be only IfAvailable, Never, Always');
  const pairs = readPairs(execEnv, 'exec-env');
  const before = exec as Fields | undefined;
  const { execProvideClusterInfo: provideClusterInfo } = flags;
  const given = [execCommand, execApiVersion, execArg, mode, provideClusterInfo, flags.execEnv];
  if ((!before && execCommand === undefined) || given.every((one) => one === undefined)) return {};
  const changed = {
    ...before,
    ...(execCommand === undefined ? {} : { command: execCommand, args: null }),
    ...(execApiVersion === undefined ? {} : { apiVersion: execApiVersion }),
    ...(execArg ? { args: execArg } : {}),
    ...(mode === undefined ? {} : { interactiveMode: mode }),
    ...(provideClusterInfo === undefined ? {} : { provideClusterInfo }),
    ...(execEnv.length > 0 ? { env: changedEnv(before?.['env'], pairs) } : {}),
  };
  return { exec: { ...changed, ...execFields(changed) } };
}

interface Variable {
  name: string;
  value: string;
}

function changedEnv(env: unknown, { set, gone }: Pairs): Variable[] {
  const there = ((env ?? []) as Variable[]).filter(({ name }) => !gone.has(name));
  const names = there.map(({ name }) => name);
  return [
    ...there.map(({ name, value }) => ({ name, value: set.get(name) ?? value })),
    ...[...set].filter(([name]) => !names.includes(name)).map(([name, value]) => ({ name, value })),
  ];
}

/** What the flags make of a user's `auth-provider`. Throws `CommandError` for those that clients have no longer. */
export function providerChanges({ 'auth-provider': there }: Fields, flags: ProviderFlags): Fields {
  const { authProvider: name, authProviderArg = [] } = flags;
  if (name !== undefined && name !== 'oidc')
    throw new CommandError(
      `--auth-provider=${name} is no longer there: clients know "oidc" alone, and get credentials of others by --exec-command`,
    );
  const { set, gone } = readPairs(authProviderArg, 'auth-provider-arg');
  const before = there as { name?: string; config?: Record<string, string> } | undefined;
  if (name === undefined && (!before || authProviderArg.length === 0)) return {};
  const isSame = before !== undefined && (name === undefined || before.name === name);
  const config = Object.entries((isSame && before.config) || {}).filter(([key]) => !gone.has(key));
  const provider = isSame ? before : { name };
  return {
    'auth-provider': { ...provider, config: { ...Object.fromEntries(config), ...Object.fromEntries(set) } },
  };
}
