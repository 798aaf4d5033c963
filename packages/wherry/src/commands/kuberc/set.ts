import { existsSync } from 'node:fs';
import { CommandError } from '../../errors.ts';
import { type FlagDefault, latestVersion, type Preference } from '../../kuberc/preference.ts';
import { readPreference } from '../../kuberc/read-preference.ts';
import { savePreference } from '../../kuberc/save-preference.ts';
import { placeOf } from './view.ts';

/** Flags of `wherry kuberc set`. */
export interface KubercSetFlags {
  kuberc?: string;
  section: string;
  command?: string;
  name?: string;
  /** `FLAG=VALUE`. */
  option?: string[];
  prependarg?: string[];
  appendarg?: string[];
  policy?: string;
  /** `command=PROGRAM`. */
  allowlistEntry?: string[];
  overwrite?: boolean;
}

/** Changes one thing in the file of preferences. Throws `CommandError`, in kubectl's words. */
export function setKuberc(flags: KubercSetFlags): void {
  const { path } = placeOf(flags.kuberc);
  checkFlags(flags);
  const preference = existing(path);
  const options = optionsOf(flags.option ?? []);
  if (flags.section === 'defaults') setDefaults(preference, flags, options);
  else if (flags.section === 'aliases') setAlias(preference, flags, options);
  else setPolicy(preference, flags);
  savePreference(written(preference), path);
}

const sections = ['defaults', 'aliases', 'credentialplugin'];
const policies = ['AllowAll', 'DenyAll', 'Allowlist'];
const listed = (all: readonly string[]) => {
  const quoted = all.map((word) => JSON.stringify(word));
  return `${quoted.slice(0, -1).join(', ')}, or ${quoted.at(-1)}`;
};

function checkFlags(flags: KubercSetFlags): void {
  const problem = sections.includes(flags.section)
    ? problemOf(flags)
    : `--section must be ${listed(sections)}, got: ${flags.section}`;
  if (problem !== undefined) throw new CommandError(problem);
}

function problemOf(flags: KubercSetFlags): string | undefined {
  const { section, name = '', command = '', prependarg = [], appendarg = [] } = flags;
  if (section === 'aliases' && name === '') return '--name is required when --section=aliases';
  if (section === 'defaults' && name !== '') return '--name should not be specified when --section=defaults';
  if (section === 'defaults' && prependarg.length + appendarg.length > 0)
    return '--prependarg and --appendarg are only valid for --section=aliases';
  if (section !== 'credentialplugin')
    return command === '' ? '--command is required when --section=aliases or --section=defaults' : undefined;
  const { policy = '', allowlistEntry = [] } = flags;
  if (policy === '') return '--policy is required when --section=credentialplugin';
  if (!policies.includes(policy)) return ` --policy must be  ${listed(policies)}, got: ${policy}`;
  const where = 'when --section=credentialplugin and --policy=Allowlist';
  const isList = policy === 'Allowlist';
  if (isList === allowlistEntry.length > 0) return undefined;
  return isList ? `--allowlist-entry is required ${where}` : `--allowlist-entry may only be used ${where}`;
}

function existing(path: string): Preference {
  const none = {
    ...{ defaults: [], aliases: [] },
    ...{ credentialPluginPolicy: '', credentialPluginAllowlist: undefined },
  };
  if (!existsSync(path)) return none;
  return readPreference(path)?.preference ?? none;
}

function optionsOf(texts: readonly string[]): FlagDefault[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at === -1)
      throw new CommandError(`invalid option format ${JSON.stringify(text)}, expected flag=value`);
    return { name: text.slice(0, at).replace(/^-+/, ''), default: text.slice(at + 1) };
  });
}

function setDefaults(
  { defaults }: Preference,
  { command = '', overwrite = false }: KubercSetFlags,
  options: FlagDefault[],
): void {
  const before = defaults.find((one) => one.command === command);
  if (!before) defaults.push({ command, options });
  else if (overwrite) before.options = options.length > 0 ? options : before.options;
  else
    throw new CommandError(
      `defaults for command ${JSON.stringify(command)} already exist, use --overwrite to replace`,
    );
}

function setAlias({ aliases }: Preference, flags: KubercSetFlags, options: FlagDefault[]): void {
  const { name = '', command = '', prependarg = [], appendarg = [], overwrite = false } = flags;
  const before = aliases.find((one) => one.name === name);
  if (before && !overwrite)
    throw new CommandError(`alias ${JSON.stringify(name)} already exists, use --overwrite to replace`);
  // What is not said stays as it was.
  const said = <T>(now: T[], then: T[] | undefined) => (now.length > 0 ? now : (then ?? []));
  const alias = {
    ...{ name, command, options: said(options, before?.options) },
    prependArgs: said(prependarg, before?.prependArgs),
    appendArgs: said(appendarg, before?.appendArgs),
  };
  if (before) Object.assign(before, alias);
  else aliases.push(alias);
}

function setPolicy(preference: Preference, { policy = '', allowlistEntry = [] }: KubercSetFlags): void {
  if (policy === 'Allowlist') preference.credentialPluginAllowlist = entriesOf(allowlistEntry);
  preference.credentialPluginPolicy = policy;
}

function entriesOf(texts: readonly string[]): { command: string }[] {
  const problems: string[] = [];
  const entries = texts
    .flatMap((text) => text.split(','))
    .flatMap((pair) => {
      const at = pair.indexOf('=');
      const [field, command] = [pair.slice(0, at), pair.slice(at + 1)];
      const quoted = JSON.stringify(field);
      const problem =
        at === -1
          ? `improperly formatted allowlist entry: ${JSON.stringify(pair)}`
          : field === 'name'
            ? 'allowlist entry field "name" is deprecated, use "command" instead'
            : field !== 'command'
              ? `unrecognized allowlist entry field: ${quoted}`
              : command.trim() === ''
                ? `empty value in allowlist entry for field ${quoted}`
                : undefined;
      if (problem === undefined) return [{ command }];
      problems.push(problem);
      return [];
    });
  const [first] = problems;
  if (first === undefined) return entries;
  if (problems.length === 1) throw new CommandError(first);
  // As kubectl has it: a line for each, without a prefix.
  for (const problem of problems) console.error(problem);
  throw new CommandError('');
}

/** As kubectl writes it: lists that are empty are not there, but for two of them. */
function written({ defaults, aliases, ...policy }: Preference): object {
  const filled = <T>(name: string, list: readonly T[]) => (list.length > 0 ? { [name]: list } : {});
  return {
    ...{ apiVersion: latestVersion, kind: 'Preference' },
    defaults: orNull(defaults.map(({ command, options }) => ({ command, options: orNull(options) }))),
    aliases: orNull(
      aliases.map(({ name, command, options, prependArgs, appendArgs }) => ({
        ...{ name, command, ...filled('options', options) },
        ...{ ...filled('prependArgs', prependArgs), ...filled('appendArgs', appendArgs) },
      })),
    ),
    ...(policy.credentialPluginPolicy && { credentialPluginPolicy: policy.credentialPluginPolicy }),
    ...filled('credentialPluginAllowlist', policy.credentialPluginAllowlist ?? []),
  };
}

const orNull = <T>(list: T[]): T[] | null => (list.length > 0 ? list : null);
