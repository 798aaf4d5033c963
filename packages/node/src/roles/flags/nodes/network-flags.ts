/** Flags of kube-proxy: those that set fields of its configuration, and those that are not there. */
import { type Command, Option } from 'commander';
import { type AbsentFlags, withReasonOf } from '../absent-flags.ts';
import { collect } from '../flag-values.ts';
import { proxyFlags } from './proxy-flags.ts';

/** Flags that are not there, by how they begin, with what is so instead. */
export const absentProxyFlags: AbsentFlags = [
  ['--boot-id-file', 'the kernel says which boot it is'],
  ['--cleanup', '`wherry down --purge` takes what the network has made'],
  [
    '--healthz-port',
    'it is deprecated upstream; --healthz-bind-address has the port, and says nothing for none',
  ],
  ['--init-only', 'what needs rights is done as services change'],
  ['--log-', 'the log has one format, on standard error'],
  ['--machine-id-file', 'nothing asks for it'],
  ['--master', 'the server is that of --kubeconfig'],
  [
    '--metrics-port',
    'it is deprecated upstream; --metrics-bind-address has the port, and says nothing for none',
  ],
  ['--vmodule', 'the log has -v alone'],
];

const heading =
  'Fields of the configuration, instead of --config (docs/fields/kube-proxy-configuration.md); beside it --hostname-override, --logging-format and --log-flush-frequency alone:';

/** Adds those that set fields. What is wrong with their values is told when the configuration is read. */
export function addProxyFlags(command: Command): Command {
  command
    .option('--config <file>', 'KubeProxyConfiguration, YAML or JSON')
    .option('--write-config-to <file>', 'write the configuration that holds there, and end');
  for (const { name, type, text } of proxyFlags) {
    const isSwitch = type === 'Bool';
    const option = new Option(`--${name} ${isSwitch ? '[switch]' : '<value>'}`, text).argParser(collect);
    command.addOption((isSwitch ? option.preset('true') : option).helpGroup(heading));
  }
  return command;
}

/** What commander says of a flag that it does not know, with the reason where upstream knows it. */
export const withNetworkReason = withReasonOf(absentProxyFlags);
