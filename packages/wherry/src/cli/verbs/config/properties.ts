import type { Command } from 'commander';
import type { SetPropertyFlags } from '../../../commands/config/set-property.ts';
import type { ConfigPlace } from '../../../kubeconfig/config-state.ts';
import { triState, withConfigFlags } from './config-flags.ts';
import { requireWords } from './words.ts';

/** `config set | unset`. */
export function addConfigProperties(config: Command): Command[] {
  const set = withConfigFlags(config.command('set'))
    .description('set one value of a kubeconfig')
    .usage('PATH VALUE [flags]')
    .argument('[words...]', 'a path, such as clusters.NAME.server, and a value')
    .addOption(triState('set-raw-bytes', 'the value of a -data field is given as it is, not in base64'))
    .action(async (words: string[], flags: SetPropertyFlags, self: Command) => {
      requireWords(words, 2, self);
      const [path = '', value = ''] = words;
      (await import('../../../commands/config/set-property.ts')).setProperty(path, value, flags);
    });
  const unset = withConfigFlags(config.command('unset'))
    .description('take one value of a kubeconfig away')
    .usage('PATH [flags]')
    .argument('[words...]', 'a path, such as contexts.NAME.namespace, or users.NAME')
    .action(async (words: string[], flags: ConfigPlace, self: Command) => {
      requireWords(words, 1, self);
      (await import('../../../commands/config/set-property.ts')).unsetProperty(words[0] ?? '', flags);
    });
  return [set, unset];
}
