import type { Command } from 'commander';
import { asGroup } from '../../flags/command-group.ts';
import { withKubectlErrors } from '../../flags/usage-errors.ts';
import { addConfigContexts } from './contexts.ts';
import { addConfigEntries } from './entries.ts';
import { addConfigProperties } from './properties.ts';
import { addConfigView } from './view.ts';

/** `config view | get-contexts | use-context | set-cluster …`: kubectl's commands about kubeconfigs, which need no server. */
export function addConfig(program: Command): Command[] {
  const config = asGroup(program.command('config')).description('print and change kubeconfigs');
  return [
    ...addConfigView(config),
    ...addConfigContexts(config),
    ...addConfigEntries(config),
    ...addConfigProperties(config),
  ].map(withKubectlErrors);
}
