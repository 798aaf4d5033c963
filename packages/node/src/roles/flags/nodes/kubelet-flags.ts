/** Upstream's flags of the kubelet that set fields of its configuration, and those that are not there. */
import { absentKubeletFlags, kubeletConfigurationFlags } from '@wherry/kubelet/configuration-flags';
import { type Command, Option } from 'commander';
import { withReasonOf } from '../absent-flags.ts';

/** As their command hands them over: by name, as they were typed. */
export interface KubeletConfigurationFlags {
  configurationFlags?: Readonly<Record<string, readonly string[]>>;
}

const heading = 'Fields of the configuration, as of --config (docs/fields/kubelet-flags.md):';

/** Adds those that set fields. What is wrong with their values is told when the configuration is read. */
export function addKubeletConfigurationFlags(command: Command): Command {
  const given = new Map<string, string[]>();
  for (const { name, isSwitch } of kubeletConfigurationFlags) {
    const option = new Option(`--${name} ${isSwitch ? '[switch]' : '<value>'}`).helpGroup(heading);
    command.addOption(option);
    // The parser's own event; what stands alone is a switch.
    command.on(`option:${name}`, (text: string | null) =>
      given.set(name, [...(given.get(name) ?? []), text ?? 'true']),
    );
  }
  return command.hook('preAction', () => {
    command.setOptionValue('configurationFlags', Object.fromEntries(given));
  });
}

/** What commander says of a flag that it does not know, with the reason where upstream knows it. */
export const withKubeletReason = withReasonOf(absentKubeletFlags);
