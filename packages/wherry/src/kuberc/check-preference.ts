/** What preferences may not say, in kubectl's words. */
import { checkPluginPolicy, type PluginPolicy } from '@wherry/client';
import { CommandError } from '../errors.ts';
import type { FlagDefault, Preference } from './preference.ts';

/** Throws `CommandError` for the first thing that is wrong. */
export function checkPreference({ aliases, defaults, ...policy }: Preference): void {
  const known = new Set<string>();
  for (const { name, options } of aliases) {
    if (!/^[a-zA-Z]+$/.test(name))
      throw new CommandError('invalid alias name, can only include alphabetical characters');
    checkNames(options);
    if (known.has(name)) throw new CommandError(`duplicate alias name ${name}`);
    known.add(name);
  }
  for (const { options } of defaults) checkNames(options);
  const problem = checkPluginPolicy(pluginPolicyOf(policy));
  if (problem !== undefined) throw new CommandError(problem);
}

function checkNames(options: readonly FlagDefault[]): void {
  for (const { name } of options)
    if (name.startsWith('-'))
      throw new CommandError(`flag name ${name} should be in long form without dashes`);
}

/** Which credential plugins may run. */
export const pluginPolicyOf = ({
  credentialPluginPolicy,
  credentialPluginAllowlist,
}: Pick<Preference, 'credentialPluginPolicy' | 'credentialPluginAllowlist'>): PluginPolicy => ({
  policy: credentialPluginPolicy,
  allowlist: credentialPluginAllowlist?.map(({ command }) => command),
});
